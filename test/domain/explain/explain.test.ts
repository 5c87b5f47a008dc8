/** A subscription and each of its billing attempts are explained in sentences, with the events that prove them. */
import { describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import { done, entriesOf, inDays, type Json, on, openShop, read, type Shop } from "../../support/shops.ts";
import { staff } from "../../support/tenant.ts";
import { advance, attemptsOf, episodesOf, linked, useShop } from "../../support/worker.ts";

const { shop, worker } = useShop();

async function explain(id: string, { as = shop.api, language = "en" } = {}): Promise<Json> {
  const headers = { "Accept-Language": language };
  const { status, body } = await api<Json>(as, "GET", on(id, "explain"), { headers });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

async function explainAttempt(id: string, as = shop.api): Promise<Json> {
  const headers = { "Accept-Language": "en" };
  return (await api<Json>(as, "GET", `/api/billing-attempts/${id}/explain`, { headers })).body.data;
}

function declining(more: object = {}): Promise<string> {
  return linked(shop, worker, { store_payment_method_id: "pm_insufficient_funds", ...more });
}

/** The action of the entry that a fact names. */
async function provenBy(id: string, { event_id, since }: Json): Promise<string | undefined> {
  const entry = (await entriesOf(id)).find((one: Json) => one.id === event_id) as Json;
  if (since !== undefined) expect(since).toBe(entry?.created_at);
  return entry?.action;
}

describe("the state of a subscription", () => {
  test("active: since it was taken out, and then its charge and delivery", async () => {
    const id = await linked(shop, worker, { next_delivery_date: inDays(20) });
    const { state, why, next, blocked_by } = await explain(id);
    expect([state, blocked_by]).toEqual(["ACTIVE", null]);
    expect(why.map(({ fact }: Json) => fact)).toEqual([
      "The subscription has been active since it was taken out.",
    ]);
    expect(await provenBy(id, why[0])).toBe("subscription_created");
    const { next_billing_date, next_delivery_date } = await read(shop, id);
    expect(next).toEqual([
      { what: "$10.00 is charged.", when: next_billing_date },
      { what: "The next delivery comes: Kibble.", when: next_delivery_date },
    ]);
  });

  test("paused by somebody, until a day, for a reason, and what comes after it", async () => {
    const id = await linked(shop, worker, { next_delivery_date: inDays(20) });
    await done(await staff(shop.of, "Grace"), "POST", id, "pause", {
      pause_until: inDays(60),
      reason: "Travelling",
    });
    const { state, why, next, blocked_by } = await explain(id);
    expect([state, blocked_by]).toEqual(["PAUSED", null]);
    expect(why[0].fact).toMatch(/^The subscription was paused by Grace until .*: Travelling$/);
    expect(await provenBy(id, why[0])).toBe("subscription_paused");
    const { restart_billing_date } = await read(shop, id);
    expect(next.slice(0, 2)).toEqual([
      { what: "The pause ends.", when: inDays(60) },
      { what: "$10.00 is charged.", when: restart_billing_date },
    ]);
    expect((await explain(id, { as: shop.customer })).why[0].fact).toContain("paused by the shop until");
  });

  test("a pause without an end has nothing to come", async () => {
    const id = await linked(shop, worker, { next_delivery_date: inDays(20) });
    await done(shop.customer, "POST", id, "pause", {});
    expect((await explain(id)).next).toEqual([]);
    expect((await explain(id)).why[0].fact).toBe("The subscription was paused by the customer.");
    expect((await explain(id, { as: shop.customer })).why[0].fact).toBe(
      "The subscription was paused by you.",
    );
  });

  test("ended: nothing is to come", async () => {
    const id = await linked(shop, worker, { next_delivery_date: inDays(20) });
    await done(shop.api, "POST", id, "cancel", { reason: "Moved away" });
    const { state, why, next } = await explain(id);
    expect([state, next]).toEqual(["CANCELLED", []]);
    expect(why).toHaveLength(1);
    expect(why[0].fact).toBe("The subscription was cancelled by the shop: Moved away");
    expect(await provenBy(id, why[0])).toBe("subscription_cancelled");
  });

  test("a delivery that was skipped is among the reasons until the next charge", async () => {
    const id = await linked(shop, worker, { next_delivery_date: inDays(2) });
    await done(shop.customer, "POST", id, "skip-deliveries", { count: 1 });
    const { why } = await explain(id);
    expect(why[1].fact).toBe("A delivery was skipped by the customer.");
    expect(await provenBy(id, why[1])).toBe("subscription_skipped");
    await advance(shop, worker, 40);
    expect((await explain(id)).why).toHaveLength(1);
  });

  test("in dunning: why the payment failed, when it is tried again, and how that ends; nothing blocks billing", async () => {
    const id = await declining();
    await advance(shop, worker, 0.1);
    const { state, why, next, blocked_by } = await explain(id);
    expect([state, blocked_by]).toEqual(["ACTIVE", null]);
    expect(why[1].fact).toMatch(/^On .* the payment of \$10\.00 for Kibble failed: insufficient funds\.$/);
    expect(await provenBy(id, why[1])).toBe("billing_failed");
    const [{ next_retry_at, opened_at }] = await episodesOf(shop, id);
    expect(next).toContainEqual({ what: "The payment of $10.00 is tried again.", when: next_retry_at });
    expect(next.at(-1)).toEqual({
      what: "The payment is given up, and there are no deliveries until it is made.",
      when: new Date(Date.parse(opened_at) + 7 * 86_400_000).toISOString(),
      depends_on: "The payment is not made before.",
    });
    const delivery = next.find(({ what }: Json) => what.startsWith("The next delivery"));
    expect(delivery.depends_on).toBe("The payment has to succeed.");
    expect(next.map(({ when }: Json) => when)).toEqual(next.map(({ when }: Json) => when).toSorted());
    await advance(shop, worker, 30);
    const given = await explain(id);
    expect([given.state, given.next, given.blocked_by]).toEqual(["PAYMENT_FAILED", [], null]);
    expect(given.why[0].fact).toBe("A payment was not made, and it is not tried again automatically.");
  });

  test("billing that stands still is blocked by the code that the subscription shows", async () => {
    const other = await openShop();
    const id = await linked(other, worker, { store_payment_method_id: "pm_out_of_stock" });
    await advance(other, worker, 0.1);
    const { billing_blocked_reason: code } = await read(other, id);
    const { why, next, blocked_by } = await explain(id, { as: other.api });
    const fact =
      "Something is out of stock. The shop tries again automatically, and charges nothing until then.";
    expect(blocked_by).toEqual({ code, fact });
    expect(await provenBy(id, why[1])).toBe("billing_waiting");
    expect(why[1].fact).toBe(fact);
    expect(next[0].depends_on ?? next[1].depends_on).toBe("Billing has to go on.");
  });
});

test("customers read the explanation of their own subscriptions, and nobody another account's", async () => {
  const id = await linked(shop, worker, { next_delivery_date: inDays(120) });
  const other = await openShop();
  expect((await api(shop.customer, "GET", on(id, "explain"))).status).toBe(200);
  for (const as of [other.api, other.customer])
    expect((await api(as, "GET", on(id, "explain"))).status).toBe(404);
});

describe("the language", () => {
  test.each([
    ["de", "Das Abo läuft, seit es abgeschlossen wurde."],
    ["fr-CH, en;q=0.5", "L’abonnement est actif depuis sa souscription."],
    ["pt, es;q=0.9", "La suscripción está activa desde que se contrató."],
  ])("is that of Accept-Language: %s", async (language, fact) => {
    const id = await linked(shop, worker, { next_delivery_date: inDays(120) });
    expect((await explain(id, { language })).why[0].fact).toBe(fact);
  });

  test("is the customer's where the request names none that there is", async () => {
    const id = await linked(shop, worker, { next_delivery_date: inDays(120) });
    await execute("UPDATE profiles SET locale = 'de' WHERE id = ?", shop.profileId);
    expect((await explain(id, { language: "pt" })).why[0].fact).toContain("Das Abo");
    expect((await explain(id, { language: "en" })).why[0].fact).toContain("The subscription");
    await execute("UPDATE profiles SET locale = NULL WHERE id = ?", shop.profileId);
  });
});

describe("a billing attempt", () => {
  test("its parts are its lines, discounts and shipping, and add up to the minor unit", async () => {
    const id = await linked(shop, worker, {
      next_delivery_date: inDays(120),
      lines: [line(shop, "Kibble", 3.33, 3), line(shop, "Bowl", 7.01, 1)],
    });
    const discount = { title: "Hello", value_type: "PERCENTAGE", value: 15, target_type: "ORDER" };
    await done(shop.api, "POST", id, "discounts", discount);
    await worker.call(shop.api, "POST", on(id, "ship-now"), { body: {} });
    await worker.drain();
    const [attempt] = await attemptsOf(shop, id);
    const { amount, parts, why_now, outcome } = await explainAttempt(attempt.id);
    expect(amount).toBe(attempt.amount);
    expect(parts.map(({ what }: Json) => what)).toEqual(["3 × Kibble", "Bowl", "Hello"]);
    const cents = parts.map((part: Json) => Math.round(part.amount * 100));
    expect(cents.reduce((sum: number, part: number) => sum + part, 0)).toBe(Math.round(amount * 100));
    expect(await provenBy(id, parts[2])).toBe("discount_applied");
    expect(why_now[0].fact).toBe("Charging and shipping at once was asked for by the shop.");
    expect(await provenBy(id, why_now[0])).toBe("ship_now_requested");
    expect(outcome).toMatchObject({ status: "SUCCEEDED", error_code: null });
    expect(outcome.fact).toMatch(/^On .* \$14\.45 was paid\.$/);
  });

  test("one that was due, and its retry, name the events before them", async () => {
    const id = await declining();
    await advance(shop, worker, 0.1);
    await advance(shop, worker, 1);
    const [again, first] = await attemptsOf(shop, id);
    const due = await explainAttempt(first.id);
    expect(due.why_now[0].fact).toMatch(/^It was due on /);
    expect(await provenBy(id, due.why_now[0])).toBe("billing_started");
    expect(due.outcome).toMatchObject({ status: "FAILED", error_code: "insufficient_funds" });
    expect(due.outcome.fact).toContain("failed: insufficient funds.");
    const retry = await explainAttempt(again.id);
    expect(retry.why_now[0].fact).toBe("The payment had failed before, and was tried again.");
    expect(await provenBy(id, retry.why_now[0])).toBe("billing_failed");
  });

  test("the mails that the customer was sent about it are told, and no others", async () => {
    const other = await openShop();
    await api(other.api, "PUT", "/api/account/mail", { body: { provider: "log" } });
    const id = await linked(other, worker, { store_payment_method_id: "pm_insufficient_funds" });
    await advance(other, worker, 0.1);
    const [attempt] = await attemptsOf(other, id);
    const { told } = await explainAttempt(attempt.id, other.api);
    const { data: mails } = (
      await api<Json>(other.api, "GET", "/api/mails", { query: { kind: "payment_failed" } })
    ).body;
    expect(mails).toHaveLength(1);
    expect(told).toEqual([{ mail_id: mails[0].id, kind: "payment_failed", at: mails[0].sent_at }]);
  });

  test("is read by staff of the account, and by nobody else", async () => {
    const id = await declining();
    await advance(shop, worker, 0.1);
    const [attempt] = await attemptsOf(shop, id);
    const path = `/api/billing-attempts/${attempt.id}/explain`;
    const other = await openShop();
    expect((await api(await staff(shop.of, "Grace"), "GET", path)).status).toBe(200);
    expect((await api(shop.customer, "GET", path)).status).toBe(403);
    expect((await api(other.api, "GET", path)).status).toBe(404);
  });
});

function line(of: Shop, product_title: string, price: number, quantity: number) {
  return {
    store_product_id: product_title,
    store_variant_id: product_title,
    product_title,
    selling_plan_id: of.plan,
    price,
    quantity,
  };
}
