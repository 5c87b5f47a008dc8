/** A store that does not answer is an unknown outcome of each member that asks it. */
import { expect, vi } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import type { DesiredContract } from "../../../src/stores/port/contracts.ts";
import type { StoreProfile } from "../../../src/stores/port/payment-methods.ts";
import type { RemoteMethod } from "../../../src/stores/port/remote-methods.ts";
import { type Charge, type DesiredPlan, type Store, UnknownOutcomeError } from "../../../src/stores/port.ts";
import { again, knownAs, newPayment } from "./charging.ts";
import { overStores } from "./promises.ts";
import type { StoreWorld } from "./world.ts";

/** A store that answers so may have done what it was asked. */
const answers: [string, () => Promise<Response>][] = [
  ["nothing", () => Promise.reject(new TypeError("Network connection lost."))],
  ["a page of a gateway", async () => new Response("<html>Bad Gateway</html>", { status: 502 })],
  ["half of a text", async () => new Response('{"data":{"id')],
];

/** The records that calls are about; they are there before the store falls silent. */
type Given = {
  world: StoreWorld;
  charge: Charge;
  reference: string;
  method: string;
  desired: DesiredContract;
  profile: StoreProfile;
};

const page = { since: "2026-01-01T00:00:00.000Z", after: null };
const pages = { done: "https://shop.example/done", left: "https://shop.example/left" };
const remote: RemoteMethod = { gateway: "STRIPE", customer_id: "cus_1", payment_method_id: "pm_1" };
const plan: DesiredPlan = {
  ...{ id: "plan-1", name: "Monthly", discount: null, min_cycles: null, max_cycles: null },
  ...{ billing: { unit: "MONTH", count: 1 }, delivery: { unit: "MONTH", count: 1 } },
  ...{ currency_code: "EUR", product_ids: null },
};

/** A call of each member that asks the store. */
const calls: Record<string, (store: Store, given: Given) => unknown> = {
  createContract: (store, { desired }) => store.createContract(desired, null),
  hasCustomer: (store, { world }) => store.hasCustomer!(world.customers!.known),
  charge: (store, { charge }) => store.charge(again({ ...charge, key: `key-${newId()}` })),
  findCharge: (store, { charge, reference }) => store.findCharge(knownAs(charge, reference)),
  withdrawCharge: (store, { charge, reference }) => store.withdrawCharge(knownAs(charge, reference)),
  endCharge: (store, { charge, reference }) => store.endCharge!(knownAs(charge, reference)),
  findConfirmation: (store, { charge, reference }) => store.findConfirmation!(knownAs(charge, reference)),
  listCharges: (store) => store.listCharges!(page),
  findMadeCharge: (store, { reference }) => store.findMadeCharge!(reference),
  setUp: (store) => store.setUp!(),
  keepWebhooks: (store) => store.keepWebhooks!(),
  findMissingScopes: (store) => store.findMissingScopes!(),
  disconnectIfUninstalled: (store) => store.disconnectIfUninstalled!(),
  findPaymentMethod: (store, { method }) => store.findPaymentMethod(method),
  askForPaymentMethod: (store, { method }) => store.askForPaymentMethod!(method),
  attachPaymentMethod: (store, { world, profile }) => store.attachPaymentMethod!(world.ownerless!, profile),
  beginPaymentMethod: (store, { profile }) => store.beginPaymentMethod!(profile),
  beginPaymentMethodPage: (store, { profile }) => store.beginPaymentMethodPage!(profile, pages),
  finishPaymentMethod: (store, { profile }) => store.finishPaymentMethod!(profile, "seti_1"),
  removePaymentMethod: (store, { method }) => store.removePaymentMethod!(method),
  refund: (store, { reference }) =>
    store.refund!({ key: newId(), reference, amount: 100, currency_code: "EUR", reason: null }),
  listRefunds: (store, { reference }) => store.listRefunds!(reference),
  listRefundsSince: (store) => store.listRefundsSince!(page),
  findDispute: (store) => store.findDispute!("du_1"),
  listDisputes: (store) => store.listDisputes!(page),
  "contracts.find": (store, { charge }) => store.contracts!.find(charge.store_contract_id),
  "contracts.listLiving": async (store, { charge }) =>
    store.contracts!.listLiving(await charge.readDesired()),
  "contracts.listPage": (store) => store.contracts!.listPage(page),
  "contracts.findState": (store, { charge }) => store.contracts!.findState(charge.store_contract_id),
  "contracts.findCycle": (store, { charge }) =>
    store.contracts!.findCycle(charge.store_contract_id, { index: 1 }),
  "contracts.setStatus": (store, { charge }) =>
    store.contracts!.setStatus(charge.store_contract_id, "PAUSED"),
  "contracts.push": async (store, { charge }) =>
    store.contracts!.push(charge.store_contract_id, await charge.readDesired()),
  "contracts.findDifferences": async (store, { charge }) =>
    store.contracts!.findDifferences(charge.store_contract_id, await charge.readDesired()),
  "plans.push": (store) => store.plans!.push(plan, null),
  "plans.remove": (store) => store.plans!.remove(plan.id, null),
  "records.findCustomer": (store, { world }) => store.records!.findCustomer(world.customers!.known),
  "records.findOrder": (store) => store.records!.findOrder("1"),
  "records.findSellingPlans": (store) => store.records!.findSellingPlans("1"),
  "records.findPlanOfGroup": (store) => store.records!.findPlanOfGroup("1"),
  "records.listSellingPlanGroups": (store) => store.records!.listSellingPlanGroups(),
  "remoteMethods.findMissingScopes": (store) => store.remoteMethods!.findMissingScopes(),
  "remoteMethods.listIds": (store, { world }) => store.remoteMethods!.listIds(world.customers!.known),
  "remoteMethods.make": (store, { world }) => store.remoteMethods!.make(world.customers!.known, remote),
  "remoteMethods.findState": (store, { method }) => store.remoteMethods!.findState(method),
};

overStores((promise) => {
  for (const [member, call] of Object.entries(calls))
    promise(
      member,
      "throws UnknownOutcomeError where the store answers nothing that it understands",
      async (world) => {
        const payment = await newPayment(world, await world.open());
        const given = {
          ...{ world, ...payment, method: world.methodThat("is_made") },
          ...{ desired: await world.newContract(), profile: await world.newProfile() },
        };
        for (const [name, answer] of answers) {
          const reached = globalThis.fetch;
          const asked = vi.fn(answer);
          vi.stubGlobal("fetch", asked);
          const [result] = await Promise.allSettled([call(await world.open(), given)]);
          vi.stubGlobal("fetch", reached);
          const isAsked = asked.mock.calls.length > 0;
          expect(isAsked).toBe(world.isAsked(member));
          if (!isAsked) continue;
          expect([name, result]).toEqual([
            name,
            { status: "rejected", reason: expect.any(UnknownOutcomeError) },
          ]);
        }
      },
    );
});
