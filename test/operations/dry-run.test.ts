import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { operations as declared } from "../../src/operations.ts";
import { type Answer, api, deployment } from "../support/client.ts";
import {
  aContract,
  addReason,
  addSlot,
  done,
  force,
  inDays,
  itemOf,
  type Json,
  nextDay,
  on,
  outbox,
  read,
  rowOf,
  type State,
  states,
  subscribe,
} from "../support/lives.ts";
import { rowsOf } from "../support/snapshot.ts";
import { useAccount } from "../support/use-account.ts";

const own = useAccount();
let slot: string;
let reason: string;
beforeAll(async () => {
  slot = await addSlot(own, { day_of_week: 4, packing_day_of_week: 2 });
  reason = await addReason(own, "pause");
});

type Case = {
  method: string;
  part: string;
  body?: (id: string) => unknown;
  /** What must have happened before. */
  given?: (id: string) => Promise<unknown>;
  wrong: unknown;
  /** Answers that billing has started, with the attempt, instead of the subscription. */
  isBilling?: true;
};
const discount = { title: "T", value: 5, value_type: "PERCENTAGE", target_type: "ORDER" };
const written = { address1: "2", city: "C", zip: "Z", country: "UK", country_code: "GB" };
const does = (part: string, body?: unknown) => (id: string) => done(own.api, "POST", id, part, body);

const cases: Record<string, Case> = {
  pauseSubscription: {
    method: "POST",
    part: "pause",
    body: () => ({ pause_until: inDays(30), pause_reason_id: reason }),
    wrong: { pause_until: inDays(-1) },
  },
  resumeSubscription: {
    method: "POST",
    part: "resume",
    given: does("pause"),
    wrong: { next_delivery_date: "x" },
  },
  cancelSubscription: {
    method: "POST",
    part: "cancel",
    body: () => ({ reason: "Enough" }),
    wrong: { reason: 1 },
  },
  reactivateSubscription: {
    method: "POST",
    part: "reactivate",
    given: does("cancel"),
    body: () => ({ next_delivery_date: inDays(9) }),
    wrong: { next_delivery_date: inDays(-1) },
  },
  skipSubscription: {
    method: "POST",
    part: "skip",
    body: () => ({ skip_weeks: 2 }),
    wrong: { skip_weeks: 53 },
  },
  unskipSubscription: {
    method: "POST",
    part: "unskip",
    given: does("skip", { skip_weeks: 1 }),
    wrong: undefined,
  },
  changeFrequency: {
    method: "PUT",
    part: "frequency",
    body: () => ({ interval: "month", interval_count: 2 }),
    wrong: { interval: "month", interval_count: 25 },
  },
  changeDeliveryInstructions: {
    method: "PUT",
    part: "delivery-instructions",
    body: () => ({ delivery_instructions: "Ring" }),
    wrong: { delivery_instructions: null },
  },
  reschedule: {
    method: "PUT",
    part: "schedule",
    body: () => ({ next_delivery_date: nextDay(4, 14), delivery_slot_id: slot }),
    wrong: { next_delivery_date: inDays(-1) },
  },
  changeDeliveryAddress: { method: "PUT", part: "delivery-address", body: () => written, wrong: {} },
  changePaymentMethod: {
    method: "PUT",
    part: "payment-method",
    body: () => ({ store_payment_method_id: `pm_${newId()}` }),
    wrong: { payment_method_id: newId() },
  },
  addLine: {
    method: "POST",
    part: "lines",
    body: () => itemOf(own.plan, { price: 3 }),
    wrong: itemOf("none"),
  },
  changeLine: { method: "PUT", part: "lines/{line}", body: () => ({ quantity: 5 }), wrong: { price: 0.001 } },
  removeLine: { method: "DELETE", part: "lines/{line}", wrong: undefined },
  applyDiscount: {
    method: "POST",
    part: "discounts",
    body: () => discount,
    wrong: { ...discount, value: 101 },
  },
  removeDiscount: {
    method: "DELETE",
    part: "discounts/{discount}",
    given: does("discounts", discount),
    wrong: undefined,
  },
  shipNow: {
    method: "POST",
    part: "ship-now",
    given: (id) => force(id, { store_contract_id: aContract() }),
    body: () => ({ delivery_date: nextDay(4, 14), slot_id: slot, production_date: inDays(1) }),
    wrong: { delivery_date: inDays(-1) },
    isBilling: true,
  },
  retryPayment: {
    method: "POST",
    part: "retry-payment",
    given: (id) => force(id, { ...states.PAYMENT_FAILED, store_contract_id: aContract() }),
    wrong: { delivery_date: inDays(7) },
    isBilling: true,
  },
};

test("every mutating operation on a subscription has its dry run here", () => {
  const mutating = declared.filter(
    ({ path, method }) => path.startsWith("/api/subscriptions/{id}") && method !== "get",
  );
  expect(mutating.map(({ id }) => id).toSorted()).toEqual(Object.keys(cases).toSorted());
});

/** The state that refuses an operation, where it is not the end. */
const refusing: Record<string, (typeof states)[State]> = {
  reactivate: states.PAUSED,
  "retry-payment": states.ACTIVE,
};

/** An answer without the moment it was made in and the ids that it made up. */
const settlement = (body: Json, moments: string[], known: Set<string>): Json =>
  JSON.parse(
    JSON.stringify(body, (key, value) => {
      if (key.endsWith("_at") && moments.includes(value)) return "now";
      const isMadeUp = (key === "id" || key === "store_discount_id") && !known.has(value);
      return isMadeUp ? "new" : value;
    }),
  );

describe.each(Object.entries(cases))("%s", (_, { method, part, body, given, wrong, isBilling }) => {
  const prepare = async () => {
    const id = await subscribe(own, { lines: [itemOf(own.plan), itemOf(own.plan)] });
    await given?.(id);
    const { lines, discounts } = await read(own, id);
    const path = on(id, part.replace("{line}", lines[0].id).replace("{discount}", discounts[0]?.id));
    return { id, path };
  };

  test("answers what the real call then answers; writes nothing, sends nothing", async () => {
    const { id, path } = await prepare();
    const { sent, bindings } = outbox();
    const call = deployment(bindings);
    const asked = body?.(id);
    const options = asked === undefined ? {} : { body: asked };
    const before = await rowsOf(own.of.account.id);
    const known = new Set(JSON.stringify(await read(own, id)).match(/[0-9a-f]{8}-[0-9a-f-]{27}/g));
    const dry: Answer<Json> = await call(own.api, method, path, { ...options, query: { dry_run: true } });
    expect(dry.status, dry.text).toBe(200);
    expect(await rowsOf(own.of.account.id)).toBe(before);
    expect(sent).toEqual([]);
    const real: Answer<Json> = await call(own.api, method, path, { ...options, query: { dry_run: 0 } });
    expect(real.status).toBe(200);
    expect(await rowsOf(own.of.account.id)).not.toBe(before);
    expect(dry.headers.get("Location")).toBeNull();
    expect([dry, real].map(({ headers }) => headers.get("Dry-Run"))).toEqual(["true", null]);
    if (isBilling) {
      const { billing_attempt_id } = real.body;
      const attempt = (await api<Json>(own.api, "GET", on(id, `billing-attempts/${billing_attempt_id}`)))
        .body;
      expect(dry.body.dry_run).toEqual(
        Object.fromEntries(Object.keys(dry.body.dry_run).map((name) => [name, attempt.data[name]])),
      );
      expect(dry.body.billing_attempt_id).toBeUndefined();
      expect((await rowOf(id)).open_attempt_id).toBe(billing_attempt_id);
      return;
    }
    const moments = [dry.body.data.updated_at, real.body.data.updated_at];
    expect(settlement(dry.body, moments, known)).toEqual(settlement(real.body, moments, known));
    expect((await rowOf(id)).updated_at).toBe(real.body.data.updated_at);
  });

  test("refuses what the real call refuses, in the same words", async () => {
    const { id, path } = await prepare();
    const both = async (to: string, options: object = {}) => {
      const answers = [
        await api<Json>(own.api, method, to, { ...options, query: { dry_run: 1 } }),
        await api<Json>(own.api, method, to, options),
      ];
      const told = answers.map(({ status, body: { request_id: _, ...failure } }) => ({ status, ...failure }));
      expect(told[0]).toEqual(told[1]);
      return told[0]!.status;
    };
    const options = body ? { body: body(id) } : {};
    if (wrong !== undefined) expect(await both(path, { body: wrong })).toBe(400);
    expect(await both(path.replace(id, newId()), options)).toBe(404);
    await force(id, refusing[part] ?? states.EXPIRED);
    expect(await both(path, options)).toBe(409);
    const unknown = await api<Json>(own.api, method, path, { ...options, query: { dryrun: 1 } });
    expect([unknown.status, unknown.body.details[0].path]).toEqual([400, "dryrun"]);
  });
});

test("update_all_active too", async () => {
  const [first, second] = [await subscribe(own), await subscribe(own)];
  const body = { delivery_instructions: "Everywhere", update_all_active: true };
  const before = await rowsOf(own.of.account.id);
  const path = on(first, "delivery-instructions");
  const dry = await api<Json>(own.api, "PUT", path, { body, query: { dry_run: true } });
  expect(await rowsOf(own.of.account.id)).toBe(before);
  expect(dry.body.data.subscription_ids).toContain(second);
  expect((await api(own.api, "PUT", path, { body })).body).toEqual(dry.body);
});
