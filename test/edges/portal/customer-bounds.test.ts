/** A customer has at most 50 addresses and makes at most 100 changes an hour, however many are sent at once. */
import { beforeEach, describe, expect, test } from "vitest";
import { type Answer, api, type Caller } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { customerOf, type Json, on, openShop, refusal, type Shop, subscribe } from "../../support/shops.ts";
import { setClock, useWorker } from "../../support/worker.ts";
import { callTool, errorOf } from "../mcp/session.ts";
import { linkFor, openVisitor, switchOn } from "./visitor.ts";

const worker = useWorker();
const own = "/api/portal/me/addresses";
const home = { address1: "12 Elm Street", city: "Brooklyn", zip: "11201", country_code: "US" };

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
  await switchOn(worker, shop);
});

function times<T>(many: number, act: (nth: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: many }, (_, nth) => act(nth)));
}

function addAddress(as: Caller, more: object = {}, path = own): Promise<Answer<Json>> {
  return api<Json>(as, "POST", path, { body: { ...home, ...more } });
}

function statusesOf(answers: Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe("a profile has at most 50 addresses", () => {
  test("however many are added at once; one that is removed makes room", async () => {
    const answers = await times(60, (nth) => addAddress(shop.customer, { address2: String(nth) }));
    expect(statusesOf(answers)).toEqual({ 201: 50, 409: 10 });
    const refused = answers.find(({ status }) => status === 409)!;
    expect(refused.body).toMatchObject({
      errorCode: "INVALID_STATE",
      error: "A profile has at most 50 delivery addresses",
    });
    const [{ n } = { n: 0 }] = await select<{ n: number }>(
      "SELECT COUNT(*) AS n FROM delivery_addresses WHERE profile_id = ? AND deleted_at IS NULL",
      shop.profileId,
    );
    expect(n).toBe(50);
    const { id } = answers.find(({ status }) => status === 201)!.body.data;
    expect((await api(shop.customer, "DELETE", `${own}/${id}`)).status).toBe(204);
    expect((await addAddress(shop.customer)).status).toBe(201);
  });

  test("by staff too; another profile has its own", async () => {
    const path = `/api/profiles/${shop.profileId}/addresses`;
    for (let nth = 0; nth < 50; nth++) expect((await addAddress(shop.admin, {}, path)).status).toBe(201);
    expect(refusal(await addAddress(shop.admin, {}, path))).toEqual([409, "INVALID_STATE"]);
    const other = await customerOf(shop.of);
    expect((await addAddress(shop.admin, {}, `/api/profiles/${other.profileId}/addresses`)).status).toBe(201);
  });

  test("a request that is repeated with its key adds one, and answers the same", async () => {
    const headers = { "Idempotency-Key": "one" };
    const [first, second] = [
      await api<Json>(shop.customer, "POST", own, { body: home, headers }),
      await api<Json>(shop.customer, "POST", own, { body: home, headers }),
    ];
    expect([first.status, second.status, second.body]).toEqual([201, 201, first.body]);
    expect((await api<Json>(shop.customer, "GET", own)).body.meta.total).toBe(1);
  });

  test("each change is in the history, without the address", async () => {
    const { id } = (await addAddress(shop.customer)).body.data;
    await api(shop.customer, "PUT", `${own}/${id}`, { body: { city: "Queens" } });
    await api(shop.customer, "PUT", `${own}/${id}`, { body: { city: "Queens" } });
    await api(shop.customer, "DELETE", `${own}/${id}`);
    const query = { types: "profile.updated" };
    const events = (await api<Json>(shop.api, "GET", "/api/events", { query })).body.data;
    expect(events).toHaveLength(3);
    for (const event of events)
      expect(event).toMatchObject({ actor_type: "customer", metadata: { fields: ["addresses"] } });
    expect(JSON.stringify(events)).not.toContain("Queens");
  });

  test("and the portal says so in a sentence of each language", async () => {
    for (let nth = 0; nth < 50; nth++) await addAddress(shop.customer);
    const sentences = {
      en: "You cannot save more addresses. Please remove one first.",
      de: "Mehr Adressen lassen sich nicht speichern. Bitte entfernen Sie zuerst eine.",
      fr: "Vous ne pouvez pas enregistrer plus d’adresses. Veuillez d’abord en supprimer une.",
      es: "No puedes guardar más direcciones. Elimina una antes, por favor.",
    };
    for (const [locale, sentence] of Object.entries(sentences)) {
      const visitor = openVisitor(worker, shop);
      await visitor.enter((await linkFor(worker, shop, { locale })).url);
      const { status, text } = await visitor.post("/profile/addresses", home);
      expect(status, locale).toBe(409);
      expect(text).toContain(sentence);
      expect(text.match(/\/remove"/g)).toHaveLength(50);
    }
  });
});

describe("a customer makes at most 100 changes an hour", () => {
  let id: string;
  beforeEach(async () => {
    id = await subscribe(shop);
  });
  const instruct = (as: Caller, text: string, query = {}) =>
    api<Json>(as, "PUT", on(id, "delivery-instructions"), { body: { delivery_instructions: text }, query });
  const change = async (many: number) => {
    for (let nth = 0; nth < many; nth++)
      expect((await instruct(shop.customer, `Floor ${nth} of ${many}`)).status).toBe(200);
  };
  const expectRefused = (answer: Answer<Json>) => {
    expect(answer.status, answer.text).toBe(429);
    expect(answer.body).toMatchObject({
      errorCode: "RATE_LIMITED",
      error: "A customer makes at most 100 changes an hour",
    });
    const seconds = Number(answer.headers.get("Retry-After"));
    expect(seconds).toBeGreaterThan(3_400);
    expect(seconds).toBeLessThanOrEqual(3_600);
  };

  test("over all of their records, by tokens, agents and pages, until an hour has passed", async () => {
    await change(50);
    const { id: addressId } = (await addAddress(shop.customer)).body.data;
    for (let nth = 0; nth < 49; nth++)
      await api(shop.customer, "PUT", `${own}/${addressId}`, { body: { address2: String(nth) } });
    const started = Date.now();
    expectRefused(await instruct(shop.customer, "One more"));
    expectRefused(await addAddress(shop.customer));
    expectRefused(await api<Json>(shop.customer, "DELETE", `${own}/${addressId}`));
    expectRefused(await api<Json>(shop.customer, "PUT", "/api/portal/me", { body: { first_name: "Ada" } }));
    expectRefused(await api<Json>(shop.customer, "POST", on(id, "pause")));
    const agent = await callTool(shop.customer, "changeDeliveryInstructions", {
      id,
      delivery_instructions: "By an agent",
    });
    expect(errorOf(agent)).toMatchObject({ errorCode: "RATE_LIMITED" });
    const visitor = openVisitor(worker, shop);
    await visitor.enter((await linkFor(worker, shop)).url);
    const page = await visitor.post("/profile/addresses", home);
    expect([page.status, page.text]).toEqual([
      429,
      expect.stringContaining("You have made a lot of changes in the last hour. Please try again later."),
    ]);
    setClock(started + 3_600_000 + 1000);
    expect((await instruct(shop.customer, "One more")).status).toBe(200);
  });

  test("reading, and what a change would come to, is not bounded; nor are others", async () => {
    await change(100);
    expectRefused(await instruct(shop.customer, "One more"));
    expect((await instruct(shop.customer, "One more", { dry_run: true })).status).toBe(200);
    expect((await api(shop.customer, "GET", on(id))).status).toBe(200);
    expect((await instruct(shop.admin, "By staff")).status).toBe(200);
    const other = await customerOf(shop.of);
    expect((await addAddress(other.customer)).status).toBe(201);
    const visitor = openVisitor(worker, shop);
    expect((await visitor.enter((await linkFor(worker, shop)).url)).status).toBe(303);
  });

  test("however many are sent at once", async () => {
    await change(95);
    const answers = await times(20, (nth) => addAddress(shop.customer, { address2: String(nth) }));
    expect(statusesOf(answers)).toEqual({ 201: 5, 429: 15 });
  });

  test("a request that has taken effect is answered again beyond it", async () => {
    await change(99);
    const headers = { "Idempotency-Key": "the last" };
    const ask = () => api<Json>(shop.customer, "POST", own, { body: home, headers });
    const first = await ask();
    const again = await ask();
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
    expectRefused(await addAddress(shop.customer));
  });
});
