/** A ship-now that may not charge is refused with the reason, and starts nothing. */
import { describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { api } from "../../support/client.ts";
import {
  addSlot,
  customerOf,
  force,
  inDays,
  inState,
  type Json,
  nextDay,
  on,
  openShop,
  states,
  subscribe,
} from "../../support/shops.ts";
import { rowsOf } from "../../support/snapshot.ts";
import { attemptsOf, linked, shipNow, useShop } from "../../support/worker.ts";

const { shop, worker } = useShop();

function refused({ status, body }: { status: number; body: Json }) {
  return [status, body];
}

describe("what is refused", () => {
  test.each(["PAUSED", "CANCELLED", "EXPIRED", "PAYMENT_FAILED"] as const)(
    "%s is not billable",
    async (status) => {
      const id = await linked(shop, worker, { next_delivery_date: inDays(7) });
      await force(id, states[status]);
      const before = await rowsOf(shop.of.account.id);
      const refusal = [
        409,
        {
          success: false,
          error: `Subscription is not billable: ${status}`,
          errorCode: "NOT_BILLABLE",
          request_id: expect.any(String),
        },
      ];
      expect(refused(await shipNow(shop, worker, id))).toEqual(refusal);
      expect(refused(await shipNow(shop, worker, id, {}, { query: { dry_run: true } }))).toEqual(refusal);
      expect(await rowsOf(shop.of.account.id)).toBe(before);
    },
  );

  test("after its last cycle it is not billable, while it still delivers what that has paid for", async () => {
    const id = await linked(shop, worker, { next_delivery_date: inDays(7) });
    await force(id, {
      ...{ max_cycles: 1, current_billing_cycle: 2 },
      ...{ next_index: 1, next_billed_index: 2, next_billing_date: null },
    });
    expect(refused(await shipNow(shop, worker, id))).toMatchObject([
      409,
      { errorCode: "NOT_BILLABLE", details: [{ path: "current_billing_cycle" }] },
    ]);
    expect(await attemptsOf(shop, id)).toEqual([]);
  });

  test("without a contract at the store it is not billable, and the details say why", async () => {
    const id = await subscribe(shop);
    expect(refused(await shipNow(shop, worker, id))).toEqual([
      409,
      {
        success: false,
        error: "Subscription is not billable: ACTIVE",
        errorCode: "NOT_BILLABLE",
        request_id: expect.any(String),
        details: [{ path: "store_contract_id", message: expect.any(String) }],
      },
    ]);
  });

  test.each<[string, object, number, string, string[]]>([
    [
      "a delivery date of yesterday",
      { delivery_date: inDays(-1) },
      400,
      "VALIDATION_FAILED",
      ["delivery_date"],
    ],
    [
      "a delivery date that is none",
      { delivery_date: "2027-02-30" },
      400,
      "VALIDATION_FAILED",
      ["delivery_date"],
    ],
    [
      "a production date of yesterday",
      { production_date: inDays(-1) },
      400,
      "VALIDATION_FAILED",
      ["production_date"],
    ],
    [
      "production after delivery",
      { delivery_date: inDays(3), production_date: inDays(4) },
      400,
      "VALIDATION_FAILED",
      ["production_date"],
    ],
    ["an unknown slot", { slot_id: newId() }, 400, "UNKNOWN_DELIVERY_SLOT", ["slot_id"]],
    ["a slot that is no id", { slot_id: "nope" }, 400, "UNKNOWN_DELIVERY_SLOT", ["slot_id"]],
    ["a field it does not know", { deliveryDate: inDays(3) }, 400, "VALIDATION_FAILED", ["deliveryDate"]],
    ["a number for a date", { delivery_date: 20270101 }, 400, "VALIDATION_FAILED", ["delivery_date"]],
  ])("%s", async (_, body, status, errorCode, paths) => {
    const id = await linked(shop, worker, { next_delivery_date: inDays(7) });
    const answer = await shipNow(shop, worker, id, body);
    expect(answer.body).toMatchObject({ success: false, errorCode });
    expect([answer.status, answer.body.details.map(({ path }: Json) => path)]).toEqual([status, paths]);
    expect(await attemptsOf(shop, id)).toEqual([]);
  });

  test("a date off the slot's day; the slot of another account, an inactive or a deleted one", async () => {
    const other = await openShop();
    const [slot, foreign] = [
      await addSlot(shop, { day_of_week: 3 }),
      await addSlot(other, { day_of_week: 3 }),
    ];
    const id = await linked(shop, worker, { next_delivery_date: nextDay(3), delivery_slot_id: slot });
    const off = await shipNow(shop, worker, id, { delivery_date: nextDay(4) });
    expect([off.status, off.body.success, off.body.errorCode]).toEqual([400, false, "VALIDATION_FAILED"]);
    const stranger = await shipNow(shop, worker, id, { slot_id: foreign });
    expect([stranger.status, stranger.body.errorCode]).toEqual([400, "UNKNOWN_DELIVERY_SLOT"]);
    const gone = await addSlot(shop, { day_of_week: 3 });
    await api(shop.api, "DELETE", `/api/subscriptions/delivery-slots/${gone}`);
    expect((await shipNow(shop, worker, id, { slot_id: gone })).body.errorCode).toBe("UNKNOWN_DELIVERY_SLOT");
    const idle = await addSlot(shop, { day_of_week: 3, is_active: false });
    expect((await shipNow(shop, worker, id, { slot_id: idle })).body.errorCode).toBe("UNKNOWN_DELIVERY_SLOT");
  });

  test("the record in the path comes before references, references before state", async () => {
    const unknown = await shipNow(shop, worker, newId(), { slot_id: newId() });
    expect(unknown.body).toMatchObject({ success: false, errorCode: "NOT_FOUND" });
    const paused = await inState(shop, "PAUSED");
    expect((await shipNow(shop, worker, paused, { slot_id: newId() })).body.errorCode).toBe(
      "UNKNOWN_DELIVERY_SLOT",
    );
    expect((await shipNow(shop, worker, newId(), { unknown: 1 })).status).toBe(400);
  });

  test("a recurring attempt, or another body, while one is open", async () => {
    const id = await linked(shop, worker, { next_delivery_date: inDays(7) });
    const first = await shipNow(shop, worker, id, { delivery_date: inDays(2) });
    const another = await shipNow(shop, worker, id, { delivery_date: inDays(3) });
    expect(refused(another)).toEqual([
      409,
      {
        success: false,
        error: expect.any(String),
        errorCode: "BILLING_IN_PROGRESS",
        request_id: expect.any(String),
      },
    ]);
    expect((await shipNow(shop, worker, id)).body.errorCode).toBe("BILLING_IN_PROGRESS");
    await worker.drain();
    expect(await attemptsOf(shop, id)).toMatchObject([
      { id: first.body.billing_attempt_id, status: "SUCCEEDED" },
    ]);
  });

  test.each<[string, object | undefined, number]>([
    ["a fault of the body", { nope: 1 }, 400],
    ["a state", undefined, 409],
  ])("%s as a problem (RFC 9457) says success: false too", async (_, body, status) => {
    const id = await inState(shop, "PAUSED");
    const answer = await shipNow(shop, worker, id, body, { headers: { Accept: "application/problem+json" } });
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(answer.body).toMatchObject({
      success: false,
      status,
      title: expect.any(String),
      detail: answer.body.error,
    });
  });

  test("another media type, a query it does not know, broken JSON", async () => {
    const id = await linked(shop, worker, { next_delivery_date: inDays(7) });
    const path = on(id, "ship-now");
    const answers = [
      await worker.call(shop.api, "POST", path, { raw: "a=b", headers: { "Content-Type": "text/plain" } }),
      await worker.call(shop.api, "POST", path, { query: { force: true } }),
      await worker.call(shop.api, "POST", path, {
        raw: "{",
        headers: { "Content-Type": "application/json" },
      }),
      await worker.call(shop.api, "POST", path, { headers: { "Idempotency-Key": "x".repeat(256) } }),
    ];
    expect(answers.map(({ status, body }) => [status, body.success, body.errorCode])).toEqual([
      [415, false, "UNSUPPORTED_MEDIA_TYPE"],
      [400, false, "VALIDATION_FAILED"],
      [400, false, "INVALID_JSON"],
      [400, false, "VALIDATION_FAILED"],
    ]);
  });

  test("another customer's, another account's, and nobody's", async () => {
    const id = await linked(shop, worker, { next_delivery_date: inDays(7) });
    const other = await customerOf(shop.of);
    const stranger = await openShop();
    for (const caller of [other.customer, stranger.api]) {
      const answer = await worker.call(caller, "POST", on(id, "ship-now"));
      expect([answer.status, answer.body.success, answer.body.errorCode]).toEqual([404, false, "NOT_FOUND"]);
    }
    const nobody = await worker.call({ credentials: {} }, "POST", on(id, "ship-now"));
    expect([nobody.status, nobody.body.success]).toEqual([401, false]);
    expect(await attemptsOf(shop, id)).toEqual([]);
  });
});
