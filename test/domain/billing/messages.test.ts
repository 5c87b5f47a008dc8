/** A message of any content is acknowledged or retried, charges nothing by itself, and logs nothing personal. */
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { Bindings } from "../../../src/base/env.ts";
import { newId } from "../../../src/base/lib/ids.ts";
import { logged } from "../../support/jobs.ts";
import { seeded } from "../../support/records.ts";
import { deliver, inDays } from "../../support/shops.ts";
import { interrupted } from "../../support/slow-database.ts";
import { rowsOf } from "../../support/snapshot.ts";
import { linked, shipNow, useShop } from "../../support/worker.ts";

const { shop, worker } = useShop();
let id: string;
beforeAll(async () => {
  id = await linked(shop, worker, { next_delivery_date: inDays(30) });
});

const types = ["charge", "process_due", "find_due", "advance_clock", "sync_contract", "resume", "nope"];
/** Bodies that resemble a job and are none, or name no record. */
const near = fc.record(
  {
    type: fc.constantFrom(...types),
    account_id: fc.oneof(fc.constant("own"), fc.uuid(), fc.string(), fc.integer()),
    attempt_id: fc.anything(),
    subscription_id: fc.uuid(),
    subscription_ids: fc.oneof(fc.array(fc.uuid(), { maxLength: 5 }), fc.anything()),
    kind: fc.oneof(fc.constantFrom("schedule", "dunning", "reminder"), fc.string()),
    after: fc.oneof(fc.record({ due: fc.string(), id: fc.string() }), fc.anything()),
  },
  { requiredKeys: ["type"] },
);

test("any body is acknowledged, and changes nothing", async () => {
  const before = await rowsOf(shop.of.account.id);
  const bodies = fc.array(fc.oneof(fc.jsonValue(), fc.string(), near), { minLength: 1, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(bodies, async (drawn) => {
      const sent = drawn.map((body) => {
        const ours =
          typeof body === "object" && body !== null && "account_id" in body && body.account_id === "own";
        return ours ? { ...body, account_id: shop.of.account.id } : body;
      });
      const { acked, retried } = await deliver(sent);
      expect([acked.length, retried]).toEqual([sent.length, []]);
    }),
    seeded(60),
  );
  expect(await rowsOf(shop.of.account.id)).toBe(before);
});

test.each<[string, () => unknown]>([
  ["charge of nothing", () => ({ type: "charge", account_id: shop.of.account.id, attempt_id: newId() })],
  ["charge without an id", () => ({ type: "charge", account_id: shop.of.account.id })],
  ["an account nobody has", () => ({ type: "process_due", account_id: newId(), subscription_ids: [id] })],
  [
    "more ids than a message has",
    () => ({ type: "process_due", account_id: shop.of.account.id, subscription_ids: Array(1001).fill(id) }),
  ],
  ["a clock that stands", () => ({ type: "advance_clock", account_id: shop.of.account.id })],
  [
    "a page after the last",
    () => ({
      type: "find_due",
      account_id: shop.of.account.id,
      kind: "schedule",
      after: { due: "9999", id: "z" },
    }),
  ],
])("%s", async (_, body) => {
  const before = await rowsOf(shop.of.account.id);
  expect(await deliver([body()])).toEqual({ acked: ["message-0"], retried: [] });
  expect(await rowsOf(shop.of.account.id)).toBe(before);
});

test("a dead letter is logged, with ids only, and dropped; the sweep still finds the attempt", async () => {
  const subscription = await linked(shop, worker, { next_delivery_date: inDays(30) });
  const { body } = await shipNow(shop, worker, subscription);
  worker.forget();
  const job = { type: "charge", account_id: shop.of.account.id, attempt_id: body.billing_attempt_id };
  const before = await rowsOf(shop.of.account.id);
  const lines = await logged(async () => {
    const result = await deliver([job, { email: "ada@customers.test" }], {
      queue: "perennial-jobs-dlq",
      attempts: 5,
    });
    expect(result).toEqual({ acked: ["message-0", "message-1"], retried: [] });
  });
  expect(lines.filter(({ event }) => event === "dead_letter")).toMatchObject([
    { alert: true, body: job },
    { alert: true, body: null },
  ]);
  expect(JSON.stringify(lines)).not.toContain("ada@");
  expect(await rowsOf(shop.of.account.id)).toBe(before);
});

test("a database that is unreachable: retried, later each time, and nothing is charged", async () => {
  const subscription = await linked(shop, worker, { next_delivery_date: inDays(30) });
  const { body } = await shipNow(shop, worker, subscription);
  worker.forget();
  const job = { type: "charge", account_id: shop.of.account.id, attempt_id: body.billing_attempt_id };
  const DB = interrupted(/./, { before: () => Promise.reject(new Error("Network connection lost")) });
  const before = await rowsOf(shop.of.account.id);
  const bindings: Bindings = { ...env, DB };
  for (const attempts of [1, 2, 10])
    expect(await deliver([job], { bindings, attempts })).toEqual({ acked: [], retried: ["message-0"] });
  expect(await rowsOf(shop.of.account.id)).toBe(before);
  await deliver([job]);
});

test("logs hold ids and figures, and nothing of the customer", async () => {
  const subscription = await linked(shop, worker, { next_delivery_date: inDays(30) });
  const lines = await logged(async () => {
    await shipNow(shop, worker, subscription);
    await worker.drain();
  });
  const text = JSON.stringify(lines);
  expect(text).toContain("charge");
  for (const secret of ["customers.test", "pm_success", "High Street", "Kibble"])
    expect(text).not.toContain(secret);
});
