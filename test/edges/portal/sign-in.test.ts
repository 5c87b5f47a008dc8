/** A customer signs in by a link that works once, and the form tells nobody which addresses are known. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { sha256Hex } from "../../../src/base/lib/encoding.ts";
import handler from "../../../src/worker.ts";
import { endpointsOf, network } from "../../domain/webhook-endpoints/receiver.ts";
import { api, nobody, origin, requestOf } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { logged } from "../../support/jobs.ts";
import { sharedWithObjects } from "../../support/objects.ts";
import { usageOf } from "../../support/records.ts";
import { deliver, type Json, openShop, refusal, type Shop } from "../../support/shops.ts";
import { later, openWorker, setClock, useWorker } from "../../support/worker.ts";
import { linkFor, openVisitor, switchOn } from "./visitor.ts";

const worker = useWorker();
const net = network();
let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
  await switchOn(worker, shop);
});

function sessionsOf() {
  return select<{ n: number }>(
    "SELECT COUNT(*) AS n FROM portal_sessions WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    shop.of.account.id,
  );
}

async function emailOf(profileId: string): Promise<string> {
  return (await select<{ email: string }>("SELECT email FROM profiles WHERE id = ?", profileId))[0]!.email;
}

describe("a link from the merchant's server", () => {
  test("opens the portal once, by its button; the session is a cookie of this host alone", async () => {
    const { url, expires_at } = await linkFor(worker, shop);
    expect(url).toMatch(new RegExp(`^${origin}/portal/${shop.of.account.shop}/enter\\?token=[\\w-]{43}$`));
    const minutes = (Date.parse(expires_at) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(14);
    expect(minutes).toBeLessThanOrEqual(15);
    const visitor = openVisitor(worker, shop);
    const entered = await visitor.enter(url);
    expect([entered.status, entered.headers.get("Location")]).toEqual([303, visitor.base]);
    const [line = ""] = entered.headers.getSetCookie();
    expect(line).toMatch(new RegExp(`^__Host-perennial=${shop.of.account.id}\\.[\\w-]{43}; `));
    for (const part of ["Path=/", "HttpOnly", "Secure", "SameSite=Lax", "Max-Age=129600"])
      expect(line).toContain(part);
    expect((await visitor.get()).text).toContain("Sign out");
    const again = await openVisitor(worker, shop).enter(url);
    expect([again.status, again.headers.getSetCookie()]).toEqual([410, []]);
  });

  test("is not spent by whoever GETs it, however often", async () => {
    const { url } = await linkFor(worker, shop);
    const scanner = openVisitor(worker, shop);
    for (let times = 0; times < 3; times++)
      expect((await scanner.get(url.slice(origin.length))).status).toBe(200);
    expect(scanner.cookies.size).toBe(0);
    expect((await openVisitor(worker, shop).enter(url)).status).toBe(303);
  });

  test("of two clicks at once one wins", async () => {
    const { url } = await linkFor(worker, shop);
    const clicks = await Promise.all(Array.from({ length: 5 }, () => openVisitor(worker, shop).enter(url)));
    expect(clicks.map(({ status }) => status).sort()).toEqual([303, 410, 410, 410, 410]);
    expect(await sessionsOf()).toEqual([{ n: 1 }]);
  });

  test("ends after 15 minutes, and nothing of it can be read in the database", async () => {
    const { url } = await linkFor(worker, shop);
    const token = new URL(url).searchParams.get("token")!;
    const rows = await select(
      "SELECT * FROM portal_links WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      shop.of.account.id,
    );
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(rows[0]?.token_hash).toBe(await sha256Hex(token));
    setClock(Date.now() + 15 * 60_000 + 1000);
    expect((await openVisitor(worker, shop).enter(url)).status).toBe(410);
  });

  test("is of its shop alone", async () => {
    const other = await openShop();
    await switchOn(worker, other);
    const { url } = await linkFor(worker, shop);
    expect((await openVisitor(worker, other).enter(url)).status).toBe(410);
  });

  test("is refused for a portal that is off, an unknown profile and an unlisted address", async () => {
    const ask = (body: object) => api<Json>(shop.api, "POST", "/api/portal/sessions", { body });
    const { profileId: profile_id } = shop;
    expect(refusal(await ask({ profile_id: crypto.randomUUID() }))).toEqual([400, "UNKNOWN_PROFILE"]);
    await switchOn(worker, shop, { return_urls: ["https://shop.example/account"] });
    for (const return_url of [
      "https://evil.example/account",
      "https://shop.example.evil.example/account",
      "https://shop.example:8443/account",
      "https://shop.example/other",
      "https://shop.example@evil.example/account",
      "https://shop.example/accountevil",
      "https://shop.example/account/../other",
      "https://shop.example/account/%2e%2e/other",
      "https://@shop.example/account",
      "https:\\\\shop.example\\account",
      "https://shop.example\\account",
      "https://shop.example\t/account",
      "https://shop.example/account\r\nX: y",
      " https://shop.example/account",
      "https:shop.example/account",
      "https://shop.example/account#there",
    ])
      expect(refusal(await ask({ profile_id, return_url }))).toEqual([400, "VALIDATION_FAILED"]);
    const listed = "https://shop.example/account/orders";
    const visitor = openVisitor(worker, shop);
    await visitor.enter((await linkFor(worker, shop, { return_url: listed })).url);
    expect((await visitor.get()).text).toContain(`href="${listed}"`);
    await switchOn(worker, shop, { is_enabled: false });
    expect(refusal(await ask({ profile_id }))).toEqual([409, "INVALID_STATE"]);
  });

  test("leads back to what was judged, at a listed path or below it", async () => {
    await switchOn(worker, shop, { return_urls: ["https://shop.example/account", "https://two.example/a/"] });
    for (const [return_url, kept] of [
      ["https://shop.example/account", "https://shop.example/account"],
      ["https://shop.example/account?order=1", "https://shop.example/account?order=1"],
      ["HTTPS://SHOP.example:443/x/../account/./orders", "https://shop.example/account/orders"],
      ['https://shop.example/account/"><script>', "https://shop.example/account/%22%3E%3Cscript%3E"],
      ["https://shop.example/account/?x=\u202e", "https://shop.example/account/?x=%E2%80%AE"],
      ["https://two.example/a/b", "https://two.example/a/b"],
    ] as const) {
      const visitor = openVisitor(worker, shop);
      await visitor.enter((await linkFor(worker, shop, { return_url })).url);
      expect((await visitor.get()).text).toContain(`href="${kept}"`);
    }
  });

  test("no parameter of a page leads elsewhere", async () => {
    const visitor = openVisitor(worker, shop);
    const { text, headers } = await visitor.get("?return_url=https://evil.example&next=//evil.example");
    expect(text + JSON.stringify([...headers])).not.toContain("evil.example");
  });
});

describe("a session", () => {
  const open = async () => {
    const visitor = openVisitor(worker, shop);
    await visitor.enter((await linkFor(worker, shop)).url);
    const isOpen = async () => (await visitor.get()).text.includes("Sign out");
    expect(await isOpen()).toBe(true);
    return { visitor, isOpen };
  };

  test("ends by signing out, also for whoever has a copy of the cookie", async () => {
    const { visitor, isOpen } = await open();
    const copy = new Map(visitor.cookies);
    await visitor.post("/sign-out");
    expect(visitor.cookies.size).toBe(0);
    for (const [name, value] of copy) visitor.cookies.set(name, value);
    expect(await isOpen()).toBe(false);
    expect(await sessionsOf()).toEqual([{ n: 0 }]);
  });

  test("ends after 12 hours", async () => {
    const { isOpen } = await open();
    setClock(Date.now() + 12 * 3_600_000 - 60_000);
    expect(await isOpen()).toBe(true);
    setClock(Date.now() + 61_000);
    expect(await isOpen()).toBe(false);
  });

  test("ends by deletion of the profile", async () => {
    const { isOpen } = await open();
    expect((await api(shop.admin, "DELETE", `/api/profiles/${shop.profileId}`)).status).toBe(204);
    expect(await isOpen()).toBe(false);
  });

  test("ends by the merchant, with the links that were not used", async () => {
    const { isOpen } = await open();
    const { url } = await linkFor(worker, shop);
    const query = { profile_id: shop.profileId };
    expect((await api(shop.api, "DELETE", "/api/portal/sessions", { query })).status).toBe(204);
    expect(await isOpen()).toBe(false);
    expect((await openVisitor(worker, shop).enter(url)).status).toBe(410);
  });

  test("is of its shop alone: at another shop it is no session", async () => {
    const { visitor } = await open();
    const other = await openShop();
    await switchOn(worker, other);
    const there = await visitor.get(`/portal/${other.of.account.shop}`);
    expect(there.text).not.toContain("Sign out");
  });

  test("is deleted with its link a day after its end", async () => {
    await open();
    setClock(Date.now() + 36 * 3_600_000 + 60_000);
    await worker.tick();
    expect(await sessionsOf()).toEqual([{ n: 0 }]);
    expect(
      await select(
        "SELECT id FROM portal_links WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
        shop.of.account.id,
      ),
    ).toEqual([]);
  });
});

describe("the e-mail form of a shop whose mailer sends links", () => {
  beforeEach(async () => {
    await endpointsOf(shop, worker).create({ event_types: ["portal.*"] });
  });
  const events = async (): Promise<Json[]> =>
    (await api(shop.api, "GET", "/api/events", { query: { types: "portal.login_requested" } })).body.data;

  test("says the same of a known and of an unknown address", async () => {
    const email = await emailOf(shop.profileId);
    const known = await openVisitor(worker, shop).post("/login", { email });
    const unknown = await openVisitor(worker, shop).post("/login", { email: "nobody@else.example" });
    const its = (text: string, address: string) => text.replace(address.replace("@", "@<wbr>"), "…");
    expect([known.status, its(known.text, email)]).toEqual([200, its(unknown.text, "nobody@else.example")]);
    expect(known.text).toContain("Check your e-mail");
    expect(known.text).toContain(`If we know ${email.replace("@", "@<wbr>")}, a link is on its way there.`);
    const [, another = ""] = /<a href="([^"]+)">Use another address<\/a>/.exec(known.text) ?? [];
    const form = await openVisitor(worker, shop).get(another);
    expect([form.status, form.text.includes('name="email"')]).toEqual([200, true]);
    await worker.drain();
    expect(await events()).toHaveLength(1);
  });

  /** The work of the form for an address: what it asks of the database, sends, and leaves to be done after its answer. */
  const workFor = async (email: string) => {
    worker.forget();
    const after: Promise<unknown>[] = [];
    const ctx = { waitUntil: (work: Promise<unknown>) => void after.push(work) } as ExecutionContext;
    const raw = new URLSearchParams({ email }).toString();
    const headers = { Origin: origin, "Content-Type": "application/x-www-form-urlencoded" };
    const request = requestOf(nobody, "POST", `/portal/${shop.of.account.shop}/login`, { headers, raw });
    const lines = await logged(() => handler.fetch(request, sharedWithObjects(worker.bindings), ctx));
    const asked = lines.map(({ event, route, db_statements, db_round_trips, rows_read, rows_written }) => ({
      ...{ event, route, db_statements, db_round_trips, rows_read, rows_written },
    }));
    const sent = worker.sent().map((job) => ({ ...job, sealed: "sealed" in job && job.sealed.length }));
    return { asked, sent, after: after.length };
  };

  test("does the same for a known and for an unknown address, and looks for neither", async () => {
    const email = await emailOf(shop.profileId);
    await workFor(email);
    const [known, unknown] = [await workFor(email), await workFor(`${"x".repeat(email.length - 2)}@y`)];
    expect(known).toEqual(unknown);
    expect(known).toMatchObject({ sent: [{ type: "request_login" }], after: 0 });
    expect(known.asked.length).toBeGreaterThan(0);
    expect(await events()).toEqual([]);
  });

  test("leaves no address in a message or in the log that can be read", async () => {
    const email = await emailOf(shop.profileId);
    const lines = await logged(async () => {
      await openVisitor(worker, shop).post("/login", { email });
      expect(JSON.stringify(worker.sent())).not.toContain(email);
      await worker.drain();
    });
    expect(JSON.stringify(lines).toLowerCase()).not.toContain(email.toLowerCase());
    expect(lines).toContainEqual(expect.objectContaining({ event: "job", type: "request_login" }));
    expect(await events()).toHaveLength(1);
  });

  test("records a request once that the queue delivers twice", async () => {
    await openVisitor(worker, shop).post("/login", { email: await emailOf(shop.profileId) });
    const jobs = worker.sent();
    await worker.drain();
    await deliver(jobs, { bindings: worker.bindings });
    expect(await events()).toHaveLength(1);
  });

  test("records a request once that the queue delivers again after more than an hour", async () => {
    await openVisitor(worker, shop).post("/login", { email: await emailOf(shop.profileId) });
    const jobs = worker.sent();
    await worker.drain();
    setClock(Date.now() + 61 * 60_000);
    await deliver(jobs, { bindings: worker.bindings });
    expect(await events()).toHaveLength(1);
  });

  test("says so where the queue takes no request, whoever asks", async () => {
    const JOBS = { sendBatch: () => Promise.reject(new Error("no queue")) } as unknown as Queue;
    const refusing = openVisitor(openWorker({ JOBS }), shop);
    for (const email of [await emailOf(shop.profileId), "nobody@else.example"])
      expect((await refusing.post("/login", { email })).status).toBe(503);
  });

  test.each(["full", "thin"])(
    "a %s endpoint receives a link that works; the history has none",
    async (payload) => {
      const endpoint = await endpointsOf(shop, worker).create({ payload });
      await openVisitor(worker, shop).post("/login", {
        email: (await emailOf(shop.profileId)).toUpperCase(),
      });
      await worker.drain();
      const [got] = net.to(endpoint.url).filter(({ body }) => body.type === "portal.login_requested");
      const { url, expires_at, ...others } = got!.body.data.object;
      expect(others).toEqual({});
      expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(15 * 60_000);
      const [event] = await events();
      expect(event).toMatchObject({ profile_id: shop.profileId, actor_type: "customer" });
      expect(JSON.stringify(event)).not.toContain("token");
      expect((await openVisitor(worker, shop).enter(url)).status).toBe(303);
    },
  );

  test("each try of a delivery has a link of its own", async () => {
    const endpoint = await endpointsOf(shop, worker).create();
    net.answering(endpoint.url, 500);
    await openVisitor(worker, shop).post("/login", { email: await emailOf(shop.profileId) });
    await worker.drain({ soon: false });
    await later(worker, 20);
    const urls = net.to(endpoint.url).map(({ body }) => body.data.object.url);
    expect(urls.length).toBeGreaterThan(1);
    expect(new Set(urls).size).toBe(urls.length);
  });

  test("five an hour for each profile are heard, and the page says the same of the sixth", async () => {
    const email = await emailOf(shop.profileId);
    const answers = [];
    for (let times = 0; times < 7; times++)
      answers.push(await openVisitor(worker, shop).post("/login", { email }));
    await worker.drain();
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await events()).toHaveLength(5);
    setClock(Date.now() + 3_600_000 + 1000);
    await openVisitor(worker, shop).post("/login", { email });
    await worker.drain();
    expect(await events()).toHaveLength(6);
  });
});

describe("the form that signs in promises only what somebody does", () => {
  const login = (email: string, at = worker) => openVisitor(at, shop).post("/login", { email });
  const form = 'name="email"';

  test.each([["*"], ["portal.*"], ["portal.login_requested"]])(
    "a mail, where an endpoint takes %s",
    async (type) => {
      await endpointsOf(shop, worker).create({ event_types: [type] });
      const { text } = await openVisitor(worker, shop).get();
      expect(text).toContain(form);
      expect(text).toContain("we’ll send you a sign-in link");
    },
  );

  test.each([
    ["no endpoint", undefined],
    ["one of other events", { event_types: ["billing.*", "subscription.created"] }],
    ["a disabled one", { event_types: ["*"], is_enabled: false }],
  ])(
    "no mail, with %s: whom to ask instead, the same for known and unknown addresses",
    async (_, endpoint) => {
      await switchOn(worker, shop, { support_email: "help@shop.example" });
      if (endpoint) {
        const made = await endpointsOf(shop, worker).create({ event_types: endpoint.event_types });
        if ("is_enabled" in endpoint)
          await endpointsOf(shop, worker).call("PUT", `/${made.id}`, { is_enabled: false });
      }
      const { text } = await openVisitor(worker, shop).get();
      expect(text).not.toContain(form);
      expect(text).toContain("does not send sign-in links");
      expect(text.slice(text.indexOf("<main"), text.indexOf("</main"))).toContain("mailto:help@shop.example");
      const known = await login(await emailOf(shop.profileId));
      const unknown = await login("nobody@else.example");
      expect([known.status, known.text]).toEqual([200, unknown.text]);
      expect(known.text).toContain("does not send sign-in links");
      expect(known.text).not.toContain("on its way");
    },
  );

  test("no mail, and no request for one that is sent once an endpoint is enabled", async () => {
    const { text } = await login(await emailOf(shop.profileId));
    expect(text).toContain("does not send sign-in links");
    await endpointsOf(shop, worker).create({ event_types: ["*"] });
    await worker.drain();
    const { body } = await api(shop.api, "GET", "/api/events", {
      query: { types: "portal.login_requested" },
    });
    expect(body.data).toEqual([]);
  });

  test("in two trips to the database at most", async () => {
    const { db_round_trips } = await usageOf(() => openVisitor(worker, shop).get());
    expect(db_round_trips).toBeLessThanOrEqual(2);
  });

  describe("on a local server", () => {
    const local = openWorker({ ENVIRONMENT: "local", PUBLIC_URL: "http://localhost" });
    const at = "http://localhost";
    const send = (email: string) =>
      local.call(nobody, "POST", `${at}/portal/${shop.of.account.shop}/login`, {
        headers: { Origin: at, "Content-Type": "application/x-www-form-urlencoded" },
        raw: new URLSearchParams({ email }).toString(),
      });
    const outcomeOf = async (email: string): Promise<{ text: string; links: Json[] }> => {
      const lines: string[] = [];
      const spy = vi.spyOn(console, "log").mockImplementation((line) => void lines.push(String(line)));
      const { text } = await send(email);
      await local.drain();
      spy.mockRestore();
      const entries = lines.map((line) => JSON.parse(line) as Json);
      return { text, links: entries.filter(({ event }) => event === "portal_login_link") };
    };

    test("the link is printed in its terminal, once, and works; the page says so, and has one itself", async () => {
      const page = await local.call(nobody, "GET", `${at}/portal/${shop.of.account.shop}`);
      expect(page.text).toContain("terminal");
      const { text, links } = await outcomeOf(await emailOf(shop.profileId));
      expect(text).toContain("terminal");
      expect(links).toHaveLength(1);
      const [onPage] = /http[^"]+\/enter\?token=[\w-]+/.exec(text) ?? [];
      for (const url of [links[0].url, onPage ?? ""])
        expect((await openVisitor(worker, shop).enter(url)).status).toBe(303);
    });

    test("an unknown address prints none, and the page says the same without a link", async () => {
      const [email, other] = [await emailOf(shop.profileId), "nobody@else.example"];
      const [known, unknown] = [await outcomeOf(email), await outcomeOf(other)];
      const its = (text: string, address: string) =>
        text.replace(address.replace("@", "@<wbr>"), "…").replace(/<p class="buttons">.*?<\/p>/, "");
      expect([unknown.links, its(unknown.text, other)]).toEqual([[], its(known.text, email)]);
    });

    test("where an endpoint takes the event, that has the link, and the terminal has none", async () => {
      await endpointsOf(shop, worker).create({ event_types: ["*"] });
      const { text, links } = await outcomeOf(await emailOf(shop.profileId));
      expect([links, text.includes("on its way")]).toEqual([[], true]);
    });
  });

  test("no link is printed anywhere else", async () => {
    const lines: string[] = [];
    const spy = vi.spyOn(console, "log").mockImplementation((line) => void lines.push(String(line)));
    await login(await emailOf(shop.profileId));
    await worker.drain();
    spy.mockRestore();
    expect(lines.join()).not.toContain("token=");
  });
});

describe("whose form it is", () => {
  test.each([
    ["another site's Origin", { Origin: "https://evil.example" }, 403],
    ["Origin null from another site", { Origin: "null", "Sec-Fetch-Site": "cross-site" }, 403],
    ["no Origin, from a site of the same domain", { "Sec-Fetch-Site": "same-site" }, 403],
    ["neither", {}, 403],
    ["our own Origin", { Origin: origin }, 303],
    ["Origin null from this site", { Origin: "null", "Sec-Fetch-Site": "same-origin" }, 303],
    ["no Origin, from this site", { "Sec-Fetch-Site": "same-origin" }, 303],
  ])("%s: %j is %d", async (_, headers, status) => {
    const { url } = await linkFor(worker, shop);
    const token = new URL(url).searchParams.get("token")!;
    const visitor = openVisitor(worker, shop);
    expect((await visitor.post("/enter", { token }, headers as Record<string, string>)).status).toBe(status);
  });

  test("a body of another media type is 415", async () => {
    const visitor = openVisitor(worker, shop);
    const headers = { Origin: origin, "Content-Type": "text/plain" };
    expect((await visitor.post("/enter", {}, headers)).status).toBe(415);
  });
});

test("a shop that is unknown or has no portal has no pages: 404, as a page", async () => {
  await switchOn(worker, shop, { is_enabled: false });
  for (const path of [
    `/portal/${shop.of.account.shop}`,
    "/portal/unknown.example",
    "/portal",
    "/portal/x/y",
  ]) {
    const { status, headers, text } = await api(nobody, "GET", path);
    expect([status, headers.get("Content-Type")]).toEqual([404, "text/html; charset=UTF-8"]);
    expect(text).toContain("This page does not exist");
  }
});

test("the first page leads to the API", async () => {
  const { status, text } = await api(nobody, "GET", "/");
  expect(status).toBe(200);
  expect(text).toContain('href="/api"');
});
