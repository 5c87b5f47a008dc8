/** Every store with contracts has the one that a subscription wants, and tells how it differs. */
import { expect } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import type { DesiredContract, StoreContract } from "../../../src/stores/port/contracts.ts";
import { type Store, StoreThrottledError } from "../../../src/stores/port.ts";
import { walk } from "./charging.ts";
import { overStores } from "./promises.ts";
import type { StoreWorld } from "./world.ts";

const noContract = 999_999_999;

async function newContract(
  world: StoreWorld,
  store: Store,
): Promise<{ id: number; desired: DesiredContract }> {
  const desired = await world.newContract();
  return { id: await store.createContract(desired, null), desired };
}

/** The terms that a contract was sold with, as a subscription has them. */
function termsOf({ lines, next_billing_at, ...sold }: StoreContract) {
  return {
    store_payment_method_id: sold.store_payment_method_id,
    store_customer_id: sold.customer!.store_customer_id,
    ...{ billing: sold.billing, delivery: sold.delivery, delivery_price: sold.delivery_price },
    next_billing_date: next_billing_at!.slice(0, 10),
    lines: lines.map((line) => ({
      store_variant_id: line.store_variant_id!,
      selling_plan_id: line.selling_plan_id,
      selling_plan_name: line.selling_plan_name!,
      ...{ quantity: line.quantity, price: line.price, discount_amount: 0 },
    })),
  };
}

overStores((promise) => {
  promise(
    "contracts.listLiving",
    "does not have a contract whose life is over once the next has one",
    async (world, store) => {
      const { id, desired } = await newContract(world, store);
      const next = await store.createContract({ ...desired, activation: 2, former_contract_id: id }, null);
      expect(next).not.toBe(id);
      expect(await store.contracts!.listLiving({ ...desired, activation: 2 })).toEqual([next]);
      expect(await store.contracts!.findState(id)).toMatchObject({ status: "CANCELLED" });
      expect(await store.createContract({ ...desired, activation: 2 }, next)).not.toBe(next);
    },
  );

  promise(
    "contracts.find",
    "shows a contract with its subscription, and knows no other",
    async (world, store) => {
      const { id, desired } = await newContract(world, store);
      expect(await store.contracts!.find(id)).toMatchObject({
        ...{ status: "ACTIVE", subscription_id: desired.subscription_id, currency_code: "EUR" },
        ...{ billing: desired.billing, delivery: desired.delivery, delivery_price: 490, inexpressible: [] },
        store_payment_method_id: desired.store_payment_method_id,
        lines: [{ store_variant_id: "41001", quantity: 2, price: 1000 }],
      });
      expect(await store.contracts!.find(world.sellContract!())).toMatchObject({ subscription_id: null });
      expect(await store.contracts!.find(noContract)).toBeUndefined();
    },
  );

  promise("contracts.findState", "says how a contract stands, and knows no other", async (world, store) => {
    const { id, desired } = await newContract(world, store);
    const { store_payment_method_id } = desired;
    expect(await store.contracts!.findState(id)).toMatchObject({ status: "ACTIVE", store_payment_method_id });
    expect(await store.contracts!.findState(noContract)).toBeUndefined();
  });

  promise("contracts.setStatus", "gives a contract a status, and gives it again", async (world, store) => {
    const { id } = await newContract(world, store);
    for (const status of ["PAUSED", "PAUSED", "ACTIVE", "CANCELLED"] as const) {
      await store.contracts!.setStatus(id, status);
      expect(await store.contracts!.findState(id)).toMatchObject({ status });
    }
  });

  promise(
    "contracts.push",
    "makes a contract the desired one, and changes nothing that is so",
    async (world, store) => {
      const { id, desired } = await newContract(world, store);
      await store.contracts!.push(id, desired);
      const before = await store.contracts!.findState(id);
      await store.contracts!.push(id, desired);
      expect(await store.contracts!.findState(id)).toEqual(before);
      const [line] = desired.lines;
      await store.contracts!.push(id, { ...desired, delivery_price: 0, lines: [{ ...line!, quantity: 3 }] });
      expect(await store.contracts!.find(id)).toMatchObject({ delivery_price: 0, lines: [{ quantity: 3 }] });
    },
  );

  promise("contracts.findDifferences", "names what a push would change", async (world, store) => {
    const { id, desired } = await newContract(world, store);
    expect(await store.contracts!.findDifferences(id, desired)).toEqual([]);
    const changed = {
      ...desired,
      delivery_price: 0,
      next_billing_date: "2030-01-01",
      status: "PAUSED" as const,
    };
    expect(await store.contracts!.findDifferences(id, changed)).toHaveLength(1);
    await store.contracts!.push(id, changed);
    expect(await store.contracts!.findDifferences(id, changed)).toEqual([]);
  });

  promise(
    "contracts.noteDelivery",
    "leaves the address of a contract that has it already",
    async (world, store) => {
      for (const isNoted of [true, false]) {
        const id = world.sellContract!();
        const sold = (await store.contracts!.find(id))!;
        const desired = { ...(await world.newContract()), ...termsOf(sold) };
        if (isNoted) await store.contracts!.noteDelivery(id, desired);
        await store.contracts!.push(id, desired);
        const city = isNoted ? sold.address!.city : desired.address!.city;
        expect((await store.contracts!.find(id))!.address).toMatchObject({ city });
      }
    },
  );

  promise("contracts.listLiving", "has a subscription's contracts until they end", async (world, store) => {
    const { id, desired } = await newContract(world, store);
    expect(await store.contracts!.listLiving(desired)).toEqual([id]);
    const sold = world.sellContract!();
    expect(await store.contracts!.listLiving({ ...desired, former_contract_id: sold })).toEqual([id, sold]);
    await store.contracts!.setStatus(id, "CANCELLED");
    expect(await store.contracts!.listLiving(desired)).toEqual([]);
  });

  promise(
    "contracts.listPage",
    "has all contracts that have not ended, oldest first, and an end",
    async (world, store) => {
      const contracts: { id: number; desired: DesiredContract }[] = [];
      for (let nth = 0; nth < 30; nth++) contracts.push(await newContract(world, store));
      const sold = world.sellContract!();
      const { id: over } = contracts.pop()!;
      await store.contracts!.setStatus(over, "CANCELLED");
      const { found, pages } = await walk(async (after) => {
        const page = await store.contracts!.listPage({ since: null, after });
        return { found: page.contracts, next: page.next };
      });
      expect(pages).toBeGreaterThan(1);
      const listed = contracts.map(({ id, desired }) => ({
        store_contract_id: id,
        subscription_id: desired.subscription_id as string | null,
      }));
      expect(found.slice(-30)).toEqual([...listed, { store_contract_id: sold, subscription_id: null }]);
      expect(found.map(({ store_contract_id }) => store_contract_id)).not.toContain(over);
      const since = "2100-01-01T00:00:00.000Z";
      expect(await store.contracts!.listPage({ since, after: null })).toEqual({ contracts: [], next: null });
    },
  );

  promise(
    "contracts.findCycle",
    "finds a cycle by its number and by a date, and knows no other",
    async (world, store) => {
      const { id } = await newContract(world, store);
      const first = await store.contracts!.findCycle(id, { index: 1 });
      expect(first).toMatchObject({ index: 1, is_skipped: false });
      expect(first!.starts_at < first!.ends_at).toBe(true);
      const middle = (Date.parse(first!.starts_at) + Date.parse(first!.ends_at)) / 2;
      expect(await store.contracts!.findCycle(id, { date: new Date(middle).toISOString() })).toEqual(first);
      expect(await store.contracts!.findCycle(noContract, { index: 1 })).toBeUndefined();
    },
  );

  promise(
    "contracts.withContractLease",
    "lets nobody else work on a subscription's contract",
    async (_world, store) => {
      const [id, other] = [newId(), newId()];
      const underLease = store.contracts!.withContractLease;
      const result = await underLease(id, async () => {
        await expect(underLease(id, async () => {})).rejects.toThrow(StoreThrottledError);
        return underLease(other, async () => "done");
      });
      expect(result).toBe("done");
      await expect(underLease(id, () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
      expect(await underLease(id, async () => "free again")).toBe("free again");
    },
  );
});
