/** Every store shows its customers, orders and remote payment methods, and keeps our plans, as its port promises. */
import { expect } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import type { RemoteMethod } from "../../../src/stores/port/remote-methods.ts";
import { type DesiredPlan, StoreRefusalError } from "../../../src/stores/port.ts";
import { newPayment } from "./charging.ts";
import { overStores } from "./promises.ts";

const planOf = (more: Partial<DesiredPlan> = {}): DesiredPlan => ({
  id: `plan-${newId()}`,
  name: "Every month",
  billing: { unit: "MONTH", count: 1 },
  delivery: { unit: "MONTH", count: 1 },
  discount: { type: "PERCENTAGE", value: 1000 },
  min_cycles: null,
  max_cycles: null,
  currency_code: "EUR",
  product_ids: null,
  ...more,
});

const unknown = "999999999";

overStores((promise) => {
  promise("records.findCustomer", "shows a customer, and knows no other", async ({ customers }, store) => {
    const { known } = customers!;
    expect(await store.records!.findCustomer(known)).toMatchObject({
      store_customer_id: known,
      email: expect.stringContaining("@"),
    });
    expect(await store.records!.findCustomer(customers!.unknown)).toBeUndefined();
    expect(await store.records!.findCustomer("not-an-id")).toBeUndefined();
  });

  promise("records.findOrder", "shows an order as it stands, and knows no other", async (world, store) => {
    const id = await world.records!.order();
    expect(await store.records!.findOrder(id)).toMatchObject({
      ...{ store_order_id: id, status: "PAID", fulfillment_status: "UNFULFILLED", return_status: null },
      ...{ order_type: "ONE_TIME", is_checkout_order: true, total: 1990, refunded_amount: 0 },
    });
    expect(await store.records!.findOrder(unknown)).toBeUndefined();
    expect(await store.records!.findOrder("not-an-id")).toBeUndefined();
  });

  promise("records.findOrder", "shows the order that a charge has made", async (world, store) => {
    const { charge, reference } = await newPayment(world, store);
    const { store_order_id } = (await store.findMadeCharge!(reference))!;
    expect(await store.records!.findOrder(store_order_id!)).toMatchObject({
      ...{ status: "PAID", order_type: "SUBSCRIPTION", is_checkout_order: false, total: 2490 },
      store_contract_ids: [charge.store_contract_id],
    });
  });

  promise(
    "records.findSellingPlans",
    "shows the plans of a group, and knows no other",
    async (world, store) => {
      const group = world.records!.planGroup();
      expect(await store.records!.findSellingPlans(group)).toMatchObject([
        { name: "Monthly", billing: { unit: "MONTH", count: 1 }, inexpressible: null },
      ]);
      expect(await store.records!.findSellingPlans(unknown)).toBeUndefined();
    },
  );

  promise(
    "records.findPlanOfGroup",
    "names the plan that a group was made for, and none of the merchant's",
    async (world, store) => {
      const plan = planOf();
      const { groupId } = await store.plans!.push(plan, null);
      expect(await store.records!.findPlanOfGroup(groupId)).toBe(plan.id);
      expect(await store.records!.findPlanOfGroup(world.records!.planGroup())).toBeUndefined();
      expect(await store.records!.findPlanOfGroup(unknown)).toBeUndefined();
    },
  );

  promise(
    "records.listSellingPlanGroups",
    "has the merchant's groups, and none that was made here",
    async (world, store) => {
      const { groupId } = await store.plans!.push(planOf(), null);
      const group = world.records!.planGroup();
      const listed = (await store.records!.listSellingPlanGroups()).map((id) => id.split("/").at(-1));
      expect(listed).toContain(group);
      expect(listed).not.toContain(groupId);
    },
  );

  promise("plans.isStoresOwn", "tells the store's ids from others", async (_world, store) => {
    expect(store.plans!.isStoresOwn("4401")).toBe(true);
    expect(store.plans!.isStoresOwn(planOf().id)).toBe(false);
  });

  promise("plans.push", "makes the store's plan the desired one, once", async (world, store) => {
    const plan = planOf();
    const before = world.records!.countPlanGroups();
    const made = await store.plans!.push(plan, null);
    expect(await store.plans!.push(plan, made.groupId)).toEqual(made);
    expect(await store.plans!.push({ ...plan, name: "Each month" }, null)).toEqual(made);
    expect(world.records!.countPlanGroups() - before).toBe(1);
    expect(await store.records!.findSellingPlans(made.groupId)).toMatchObject([
      { id: made.planId, name: "Each month", billing: plan.billing, discount: plan.discount },
    ]);
  });

  promise("plans.remove", "deletes the store's plan, if there is one", async (world, store) => {
    const plan = planOf();
    const before = world.records!.countPlanGroups();
    const { groupId } = await store.plans!.push(plan, null);
    await store.plans!.remove(plan.id, groupId);
    await store.plans!.remove(plan.id, groupId);
    await store.plans!.remove(planOf().id, null);
    expect(world.records!.countPlanGroups()).toBe(before);
    expect(await store.records!.findSellingPlans(groupId)).toBeUndefined();
  });

  const remoteOf = (id: string): RemoteMethod => ({
    gateway: "STRIPE",
    customer_id: `cus_${id}`,
    payment_method_id: `pm_${id}`,
  });

  promise("remoteMethods.findMissingScopes", "names what the app lacks for it", async (world, store) => {
    expect(await store.remoteMethods!.findMissingScopes()).toEqual([]);
    world.scopes!.take("write_customer_payment_methods");
    expect(await store.remoteMethods!.findMissingScopes()).toEqual(["write_customer_payment_methods"]);
    world.scopes!.give("write_customer_payment_methods");
  });

  promise(
    "remoteMethods.make",
    "makes another payment method each time it is called",
    async ({ customers }, store) => {
      const { known } = customers!;
      const ids = [
        await store.remoteMethods!.make(known, remoteOf("one")),
        await store.remoteMethods!.make(known, remoteOf("one")),
      ];
      expect(new Set(ids).size).toBe(2);
      await expect(store.remoteMethods!.make(customers!.unknown, remoteOf("one"))).rejects.toThrow(
        StoreRefusalError,
      );
    },
  );

  promise("remoteMethods.listIds", "has all payment methods of a customer", async ({ customers }, store) => {
    const before = await store.remoteMethods!.listIds(customers!.known);
    const id = await store.remoteMethods!.make(customers!.known, remoteOf("two"));
    expect((await store.remoteMethods!.listIds(customers!.known)).toSorted()).toEqual(
      [...before, id].toSorted(),
    );
    await expect(store.remoteMethods!.listIds(customers!.unknown)).rejects.toThrow(StoreRefusalError);
  });

  promise(
    "remoteMethods.findState",
    "says how far the store has got with one",
    async ({ customers }, store) => {
      const id = await store.remoteMethods!.make(customers!.known, remoteOf("three"));
      expect(["pending", "ready"]).toContain(await store.remoteMethods!.findState(id));
      const gone = await store.remoteMethods!.make(customers!.known, remoteOf("unknown"));
      expect(await store.remoteMethods!.findState(gone)).toBe("revoked");
    },
  );
});
