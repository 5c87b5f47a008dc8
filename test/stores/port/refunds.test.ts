/** Every store refunds a key once, and no more than was paid. */
import { expect } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import type { Refund } from "../../../src/stores/port/refunds.ts";
import { StoreRefusalError } from "../../../src/stores/port.ts";
import { newPayment, walk } from "./charging.ts";
import { overStores } from "./promises.ts";

const refundOf = (reference: string, more: Partial<Refund> = {}): Refund => ({
  key: `refund-${newId()}`,
  reference,
  amount: 500,
  currency_code: "EUR",
  reason: "broken",
  ...more,
});

const inAMonth = () => new Date(Date.now() + 30 * 86_400_000).toISOString();

overStores((promise) => {
  promise("refund", "pays back a part once, however often its key is sent", async (world, store) => {
    const { reference } = await newPayment(world, store);
    const refund = refundOf(reference);
    const made = await store.refund!(refund);
    expect(made).toMatchObject({ key: refund.key, amount: 500, status: "SUCCEEDED", reason: "broken" });
    expect(await store.refund!(refund)).toEqual(made);
    world.passDays?.(2);
    expect(await store.refund!(refund)).toEqual(made);
    expect(await store.listRefunds!(reference)).toEqual([made]);
  });

  promise("refund", "refuses to pay back more than is left of the charge", async (world, store) => {
    const { reference } = await newPayment(world, store);
    await store.refund!(refundOf(reference, { amount: 2000 }));
    const more = refundOf(reference);
    await expect(store.refund!(more)).rejects.toThrow(StoreRefusalError);
    await expect(store.refund!(more)).rejects.toThrow(StoreRefusalError);
    expect(await store.listRefunds!(reference)).toMatchObject([{ amount: 2000 }]);
  });

  promise("listRefunds", "has those that were made at the store, without a key", async (world, store) => {
    const { reference } = await newPayment(world, store);
    expect(await store.listRefunds!(reference)).toEqual([]);
    await world.refunds!.refundElsewhere(reference, 300);
    const made = await store.refund!(refundOf(reference));
    const found = await store.listRefunds!(reference);
    expect(found).toHaveLength(2);
    expect(found).toContainEqual(made);
    expect(found).toContainEqual(expect.objectContaining({ key: null, amount: 300, status: "SUCCEEDED" }));
  });

  promise(
    "listRefundsSince",
    "has each refund since an instant with its charge, and an end",
    async (world, store) => {
      const since = new Date(Date.now() - 1000).toISOString();
      const { reference } = await newPayment(world, store);
      const made = await store.refund!(refundOf(reference));
      const list = (from: string) =>
        walk(async (after) => {
          const { refunds, next } = await store.listRefundsSince!({ since: from, after });
          return { found: refunds, next };
        });
      expect((await list(since)).found.filter((each) => each.charge_reference === reference)).toEqual([
        { reference: made.reference, charge_reference: reference, status: "SUCCEEDED" },
      ]);
      expect((await list(inAMonth())).found).toEqual([]);
    },
  );

  promise("whyNotRefundable", "tells which amounts cannot be paid back", async ({ amounts }, store) => {
    expect(store.whyNotRefundable!(2490, "EUR")).toBeUndefined();
    expect(store.whyNotRefundable!(...amounts!.uneven)).toMatch(/^must be /);
  });

  promise("findDispute", "shows a dispute as it stands, and knows no other", async (world, store) => {
    const { reference } = await newPayment(world, store);
    const id = world.dispute!(reference);
    expect(await store.findDispute!(id)).toMatchObject({
      ...{ reference: id, charge_reference: reference, amount: 2490, currency_code: "EUR" },
      ...{ status: "NEEDS_RESPONSE", is_inquiry: false },
    });
    expect(await store.findDispute!("du_none")).toBeUndefined();
  });

  promise("listDisputes", "has each dispute since an instant, and an end", async (world, store) => {
    const since = new Date(Date.now() - 1000).toISOString();
    const { reference } = await newPayment(world, store);
    const found = await store.findDispute!(world.dispute!(reference));
    const list = (from: string) =>
      walk(async (after) => {
        const { disputes, next } = await store.listDisputes!({ since: from, after });
        return { found: disputes, next };
      });
    expect((await list(since)).found).toContainEqual(found);
    expect((await list(inAMonth())).found).toEqual([]);
  });
});
