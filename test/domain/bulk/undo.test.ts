/** Undoing a job takes back what it wrote, and leaves what customers did in between. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import { seeded } from "../../support/seeded.ts";
import {
  addSlot,
  deliver,
  inDays,
  itemOf,
  type Json,
  nextDay,
  on,
  openShop,
  read,
  type Shop,
} from "../../support/shops.ts";
import { discount, jobOf, rowsOf, useBulk } from "./bulk-jobs.ts";

const { worker, addOne, bulk, undo } = useBulk();

/** The input of each action. */
const inputs: Record<string, (of: Shop) => object> = {
  swap_variant: () => ({ from: "old", to: "new", price: 8 }),
  change_price: () => ({ store_variant_id: "old", price: 8, from_cycle: 2 }),
  skip_deliveries: () => ({ count: 1 }),
  reschedule: () => ({ date: inDays(50) }),
  pause: () => ({}),
  cancel: () => ({}),
  apply_discount: () => discount,
  add_one_time_line: ({ plan }) => itemOf(plan, { store_variant_id: "gift" }),
  set_instructions: () => ({ delivery_instructions: "Ring" }),
};

type Did = { method: "POST" | "PUT"; part: string; body?: object };

/** Calls of a customer's; those that are refused have done nothing. */
const customers: Did[] = [
  { method: "POST", part: "skip-deliveries", body: { count: 1 } },
  { method: "PUT", part: "schedule", body: { next_delivery_date: inDays(61) } },
  { method: "PUT", part: "delivery-instructions", body: { delivery_instructions: "Leave it" } },
  { method: "POST", part: "pause", body: {} },
  { method: "POST", part: "resume", body: {} },
  { method: "POST", part: "cancel", body: {} },
  { method: "POST", part: "reactivate", body: {} },
  { method: "PUT", part: "frequency", body: { interval: "WEEK", interval_count: 2 } },
  {
    method: "PUT",
    part: "delivery-address",
    body: { address1: "Elsewhere 1", city: "Bonn", country_code: "DE", zip: "53111" },
  },
];

const shown = [
  "status",
  "next_delivery_date",
  "next_billing_date",
  "delivery_instructions",
  "delivery_address",
  "billing_interval_count",
];

describe("undoing a job", () => {
  test("leaves what customers did in between, and takes back the rest of what it wrote", async () => {
    const shop = await openShop();
    await api(shop.of, "PUT", "/api/account/portal", { body: { is_enabled: true } });
    const did = fc.array(fc.constantFrom(...customers), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(inputs)), did, async (action, acts) => {
        const input = inputs[action]!;
        const id = await addOne(shop);
        const original = await read(shop, id);
        const job = await bulk(shop, { action, input: input(shop), ids: [id] });
        expect(job.done).toBe(1);
        const written = await read(shop, id);
        for (const { method, part, body } of acts)
          await worker.call(shop.customer, method, on(id, part), { body: body ?? {} });
        const between = await read(shop, id);
        const [{ status: undone, errors }] = await undoneRows(shop, job.id);
        const after = await read(shop, id);
        for (const field of shown) {
          const isTheirs = JSON.stringify(between[field]) !== JSON.stringify(written[field]);
          if (isTheirs) expect(after[field], `${action}: ${field} is the customer's`).toEqual(between[field]);
        }
        if (acts.length === 0) {
          expect(undone, JSON.stringify(errors)).toBe("UNDONE");
          for (const field of shown) expect(after[field], `${action}: ${field}`).toEqual(original[field]);
          expect(after.total).toBe(original.total);
        }
        if (undone === "OK")
          expect(withoutTime(after), "nothing is half undone").toEqual(withoutTime(between));
      }),
      seeded(40),
    );
  });

  async function undoneRows(shop: Shop, id: string): Promise<[Json]> {
    await undo(shop, id);
    return (await rowsOf(shop, id)) as [Json];
  }

  function withoutTime({ updated_at: _, ...rest }: Json): Json {
    return rest;
  }

  test("puts a slot back, and a customer's quantity stays where a variant is swapped back", async () => {
    const shop = await openShop();
    const [from, to] = [await addSlot(shop, { day_of_week: 3 }), await addSlot(shop, { day_of_week: 5 })];
    const id = await addOne(shop, { delivery_slot_id: from, next_delivery_date: nextDay(3, 40) });
    const original = await read(shop, id);
    const moved = await bulk(shop, {
      action: "move_slot",
      input: { from_slot_id: from, to_slot_id: to },
      filter: { delivery_slot_id: from },
    });
    expect(await read(shop, id)).toMatchObject({
      delivery_slot_id: to,
      next_delivery_date: nextDay(5, 42),
      delivery_slot_valid: true,
    });
    expect(await undo(shop, moved.id)).toMatchObject({ undone: 1 });
    expect(await read(shop, id)).toMatchObject({
      delivery_slot_id: from,
      next_delivery_date: original.next_delivery_date,
    });
    const swapped = await bulk(shop, {
      action: "swap_variant",
      input: { from: "old", to: "new", price: "keep" },
      ids: [id],
    });
    await api(shop.api, "PUT", on(id, `lines/${original.lines[0].id}`), { body: { quantity: 3 } });
    expect(await undo(shop, swapped.id)).toMatchObject({ undone: 1 });
    expect((await read(shop, id)).lines[0]).toMatchObject({ store_variant_id: "old", quantity: 3 });
  });

  test("pauses again what was paused before it was cancelled", async () => {
    const shop = await openShop();
    const id = await addOne(shop);
    await api(shop.api, "POST", on(id, "pause"), { body: { pause_until: inDays(20) } });
    const job = await bulk(shop, { action: "cancel", ids: [id] });
    expect(await undo(shop, job.id)).toMatchObject({ undone: 1 });
    expect(await read(shop, id)).toMatchObject({ status: "PAUSED", pause_until: inDays(20) });
  });
});

test("a job whose messages come twice or die between rows does each row once", async () => {
  const shop = await openShop();
  const ids = [];
  for (let nth = 0; nth < 27; nth++) ids.push(await addOne(shop));
  const { body } = await worker.call(shop.api, "POST", "/api/bulk", {
    body: { action: "skip_deliveries", ids },
  });
  const { id } = body.data;
  worker.forget();
  const message = { type: "work_rows", account_id: shop.of.account.id, job_id: id };
  for (let turn = 0; turn < 30 && (await jobOf(shop, id)).status === "RUNNING"; turn++) {
    const past = "2020-01-01T00:00:00.000Z";
    await execute("UPDATE jobs SET lease_until = ?, next_action_at = ? WHERE id = ?", past, past, id);
    await Promise.all([1, 2].map(() => deliver([message], { bindings: worker.bindings })));
    worker.forget();
  }
  expect(await jobOf(shop, id)).toMatchObject({ status: "DONE", done: 27, skipped: 0 });
  for (const each of ids) {
    const skips = (await api(shop.api, "GET", on(each, "skips"))).body.data;
    expect(skips).toHaveLength(1);
  }
});
