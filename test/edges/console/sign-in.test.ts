/** Staff sign in by a link that works once; their session ends with the time, with disuse, and at once with what they may do. */
import { beforeEach, describe, expect, test } from "vitest";
import { origin } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { type Json, openShop, type Shop } from "../../support/shops.ts";
import { openWorker, setClock, useWorker } from "../../support/worker.ts";
import { linkFor, openVisitor, switchOn } from "../portal/visitor.ts";
import { addMember, inviteLink, openConsole, signedIn } from "./member.ts";

const worker = useWorker();
let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});

const minutes = 60_000;

async function change(id: string, body: object) {
  const answer = await worker.call<Json>(shop.api, "PUT", `/api/staff/${id}`, { body });
  expect(answer.status).toBe(200);
}

async function readMember(id: string): Promise<Json> {
  const { body } = await worker.call<Json>(shop.api, "GET", "/api/staff");
  return body.data.find((one: Json) => one.id === id);
}

async function eventsOf(type: string): Promise<Json[]> {
  const { body } = await worker.call<Json>(shop.api, "GET", "/api/events?limit=100");
  return body.data.filter((event: Json) => event.type === type);
}

describe("a link", () => {
  test("signs in once, by its button: the session is a cookie of this host, sent by its own pages alone", async () => {
    const member = await addMember(worker, shop);
    const url = await inviteLink(worker, shop, member.id);
    const visitor = openConsole(worker, shop);
    for (let times = 0; times < 3; times++)
      expect((await visitor.get(url.slice(origin.length))).status).toBe(200);
    expect(visitor.cookies.size).toBe(0);
    const entered = await visitor.enter(url);
    expect([entered.status, entered.headers.get("Location")]).toEqual([303, visitor.base]);
    const [line = ""] = entered.headers.getSetCookie();
    expect(line).toMatch(new RegExp(`^__Host-perennial-console=${shop.of.account.id}\\.[\\w-]{43}; `));
    for (const part of ["Path=/", "HttpOnly", "Secure", "SameSite=Strict", "Max-Age=43200"])
      expect(line).toContain(part);
    const today = await visitor.get();
    expect([today.status, today.text.includes("Sam Support · owner")]).toEqual([200, true]);
    const again = await openConsole(worker, shop).enter(url);
    expect([again.status, again.headers.getSetCookie()]).toEqual([410, []]);
  });

  test("of two clicks at once serves one", async () => {
    const { id } = await addMember(worker, shop);
    const url = await inviteLink(worker, shop, id);
    const clicks = await Promise.all([1, 2, 3].map(() => openConsole(worker, shop).enter(url)));
    expect(clicks.map(({ status }) => status).sort()).toEqual([303, 410, 410]);
  });

  test("ends after 15 minutes, with a suspension, and at another shop", async () => {
    const { id } = await addMember(worker, shop, { role: "VIEWER" });
    const [first, second] = [await inviteLink(worker, shop, id), await inviteLink(worker, shop, id)];
    const other = await openShop();
    expect((await openConsole(worker, other).enter(first)).status).toBe(410);
    await change(id, { status: "SUSPENDED" });
    expect((await openConsole(worker, shop).enter(first)).status).toBe(410);
    await change(id, { status: "ACTIVE" });
    expect((await openConsole(worker, shop).enter(second)).status).toBe(410);
    const third = await inviteLink(worker, shop, id);
    setClock(Date.now() + 15 * minutes + 1000);
    expect((await openConsole(worker, shop).enter(third)).status).toBe(410);
  });

  test("of a customer opens no console, and one of staff no portal", async () => {
    await switchOn(worker, shop);
    const { url } = await linkFor(worker, shop);
    expect((await openConsole(worker, shop).enter(url)).status).toBe(410);
    const { id } = await addMember(worker, shop);
    expect((await openVisitor(worker, shop).enter(await inviteLink(worker, shop, id))).status).toBe(410);
  });
});

describe("whoever signs in", () => {
  test("is ACTIVE from then on, as the history says under their name, and was seen", async () => {
    const { member } = await signedIn(worker, shop);
    expect(await readMember(member.id)).toMatchObject({ status: "ACTIVE", last_seen_at: expect.any(String) });
    expect(await eventsOf("staff.updated")).toMatchObject([
      {
        actor_type: "admin",
        actor_name: "Sam Support",
        changes: { status: { from: "INVITED", to: "ACTIVE" } },
      },
    ]);
  });

  test("is seen at most each ten minutes", async () => {
    const { member, visitor } = await signedIn(worker, shop);
    const { last_seen_at: first } = await readMember(member.id);
    setClock(Date.now() + 9 * minutes);
    await visitor.get();
    expect((await readMember(member.id)).last_seen_at).toBe(first);
    setClock(Date.now() + 11 * minutes);
    await visitor.get();
    expect((await readMember(member.id)).last_seen_at > first).toBe(true);
  });

  test("gets a new session each time, and the one before ends", async () => {
    const { member, visitor } = await signedIn(worker, shop);
    const before = [...visitor.cookies.values()][0];
    await visitor.enter(await inviteLink(worker, shop, member.id));
    expect([...visitor.cookies.values()][0]).not.toBe(before);
    expect(await select("SELECT id FROM staff_sessions WHERE staff_id = ?", member.id)).toHaveLength(1);
  });
});

describe("a session", () => {
  test.each([
    ["a suspension", { status: "SUSPENDED" }],
    ["a role that may do less", { role: "VIEWER" }],
    ["another address", { email: "else@shop.example" }],
  ])("ends at once with %s", async (_, body) => {
    const { member, visitor } = await signedIn(worker, shop, "SUPPORT");
    expect((await visitor.get()).status).toBe(200);
    await change(member.id, body);
    expect((await visitor.get()).headers.get("Location")).toBe(`${visitor.base}/login`);
  });

  test("ends with the member, and goes on with a role that may do more", async () => {
    const { member, visitor } = await signedIn(worker, shop, "SUPPORT");
    await change(member.id, { role: "MANAGER" });
    expect((await visitor.get()).text).toContain("manager");
    await worker.call(shop.api, "DELETE", `/api/staff/${member.id}`);
    expect((await visitor.get()).status).toBe(303);
  });

  test("ends after two hours without use, and after twelve in any case", async () => {
    const { visitor } = await signedIn(worker, shop);
    const start = Date.now();
    for (let hours = 1; hours < 12; hours++) {
      setClock(start + hours * 60 * minutes);
      expect((await visitor.get()).status).toBe(200);
    }
    setClock(start + 12 * 60 * minutes + 1000);
    expect((await visitor.get()).status).toBe(303);
    const other = await signedIn(worker, shop);
    setClock(start + 14 * 60 * minutes + 2000);
    expect((await other.visitor.get()).status).toBe(303);
  });

  test("ends by its button, is of its shop alone, and opens no API", async () => {
    const { visitor } = await signedIn(worker, shop);
    const other = await openShop();
    expect((await visitor.get(`/console/${other.of.account.shop}`)).status).toBe(303);
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const api = await worker.call<Json>({ credentials: { Cookie: cookie } }, "GET", "/api/staff");
    expect(api.status).toBe(401);
    await visitor.post("/sign-out");
    expect((await visitor.get()).status).toBe(303);
  });

  test("sends no form from another site, and none without an origin", async () => {
    const { visitor } = await signedIn(worker, shop);
    for (const headers of [{ Origin: "https://evil.example" }, { Origin: "null" }, {}] as Record<
      string,
      string
    >[])
      expect((await visitor.post("/sign-out", {}, headers)).status).toBe(403);
    expect((await visitor.get()).status).toBe(200);
  });
});

describe("the form", () => {
  async function deployed(provider: string) {
    await execute(
      `INSERT INTO webhook_endpoints (id, account_seq, kind, url, event_types, own_event_types, mail, payload, is_enabled, secret, created_at, updated_at)
       VALUES (?, (SELECT seq FROM accounts WHERE id = ?), 'mail', '', '[]', '[]', ?, 'thin', 1, '', '2026-01-01', '2026-01-01')`,
      crypto.randomUUID(),
      shop.of.account.id,
      JSON.stringify({
        provider,
        from_name: "Shop",
        from_address: "hello@shop.example",
        has_credentials: false,
      }),
    );
  }

  test("answers the same for every address, and has a job look for it that names nobody", async () => {
    await deployed("resend");
    const { email } = await addMember(worker, shop);
    const visitor = openConsole(worker, shop);
    const mask = (text: string) => text.replaceAll(/[0-9a-f-]{36}/g, "");
    const known = await visitor.post("/login", { email });
    const unknown = await visitor.post("/login", { email: "nobody@else.example" });
    expect([known.status, mask(known.text)]).toEqual([200, mask(unknown.text)]);
    expect(known.text).not.toContain(email);
    await worker.drain();
    const asked = await eventsOf("staff.login_requested");
    expect(asked).toHaveLength(1);
    expect(JSON.stringify(asked)).not.toContain("token");
  });

  test("makes at most five links an hour, and none for somebody who is suspended", async () => {
    await deployed("resend");
    const { id, email } = await addMember(worker, shop, { role: "VIEWER" });
    const visitor = openConsole(worker, shop);
    for (let times = 0; times < 7; times++) await visitor.post("/login", { email });
    await worker.drain();
    expect(await select("SELECT id FROM staff_links WHERE staff_id = ?", id)).toHaveLength(5);
    setClock(Date.now() + 61 * minutes);
    await visitor.post("/login", { email });
    await worker.drain();
    expect(await select("SELECT id FROM staff_links WHERE staff_id = ?", id)).toHaveLength(6);
    await change(id, { status: "SUSPENDED" });
    setClock(Date.now() + 122 * minutes);
    await visitor.post("/login", { email });
    await worker.drain();
    expect(await select("SELECT id FROM staff_links WHERE staff_id = ?", id)).toHaveLength(0);
  });

  test("says whom to ask where nobody sends mails", async () => {
    const here = await openWorker({ ENVIRONMENT: "production" });
    const { text } = await openConsole(here, shop).get("/login");
    expect(text).toContain("staff invite");
  });
});

test("a shop that there is not has no console", async () => {
  const answer = await worker.call({ credentials: {} }, "GET", "/console/nobody.example/login");
  expect([answer.status, answer.text.includes("There is no such page")]).toEqual([404, true]);
});
