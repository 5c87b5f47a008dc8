import type { Job } from "../../../src/base/job.ts";
import { shopifyStore } from "../../../src/stores/shopify/adapter.ts";
import { emailScope, optionalScopes, requiredScopes } from "../../../src/stores/shopify/app/scopes.ts";
import { type FakeShopify, fakeShopify } from "../../../test/support/fake-shopify.ts";
import { dbOf } from "../../kernel/ports.ts";
import type { SimulatedStore } from "../../kernel/store.ts";
import type { Task } from "../../kernel/task.ts";
import { instantOf, type World } from "../../kernel/world.ts";
import { currencies } from "../currencies.ts";
import { type Attempts, newAttempts } from "./attempts.ts";
import { type Contracts, newContracts } from "./contracts.ts";
import { type Sent, send } from "./requests.ts";

export function openShopify(world: World): OpenShopify {
  const fake = fakeShopify({
    ...{ shop, token, points, taxesIncluded: false },
    currency: world.choices.weighted(currencies),
    taxRate: world.choices.weighted([
      [0, 8],
      [0.1, 2],
    ]),
    scopes: [...requiredScopes, ...optionalScopes, emailScope],
    settlesAtRead: Number.POSITIVE_INFINITY,
    now: () => world.clock,
  });
  fake.addPlanGroup({ plans: [{ id: `gid://shopify/SellingPlan/${planId}` }] });
  const customer = fake.addCustomer();
  const attempts = newAttempts(world, fake);
  const contracts = newContracts(world, fake);

  const opened: OpenShopify = {
    fake,
    customer,
    cards: Array.from({ length: 5 }, () => fake.addPaymentMethod(customer)),
    attempts,
    contracts,
    late: [],
    entries: attempts.entries,
    referenceOf: ({ key }) => fake.attempt(key).id,
    orderOf({ key }) {
      const { state } = fake.attempt(key);
      return state.is === "succeeded" ? state.order.id : "";
    },
    showsOrderOf({ key }) {
      const { state } = fake.attempt(key);
      return state.is === "succeeded" && !state.order.isDeleted;
    },
    requests: 0,
    open: (task: Task, job: Job | undefined) =>
      shopifyStore({
        db: dbOf(world, task),
        account: world.account,
        now: instantOf(world),
        realNow: instantOf(world),
        connect: async () => ({ shop, token, send: send(world, opened, task, job) }),
        isUninstalled: async () => false,
        log: () => {},
      }),
    async passTime() {
      const arrived = opened.late.filter(({ at }) => at <= world.clock);
      opened.late = opened.late.filter(({ at }) => at > world.clock);
      for (const sent of arrived) await sent.arrive(true);
      attempts.passTime();
    },
    nextAt() {
      const instants = [...opened.late.map(({ at }) => at), ...attempts.instants()];
      return instants.length === 0 ? undefined : Math.min(...instants);
    },
  };
  return opened;
}

const shop = "simulated.myshopify.com";
const token = "shpat_simulated";
/** The plan of every simulated subscription, which is the store's own: contracts by another are refused. */
export const planId = "4401";
/** So many that only the schedule throttles. */
const points = { maximum: 1e12, restoreRate: 1e9 };

/** The fake Shopify store behind the Worker's own adapter. */
export type OpenShopify = SimulatedStore & {
  fake: FakeShopify;
  customer: string;
  cards: string[];
  attempts: Attempts;
  contracts: Contracts;
  /** Requests whose senders gave up, and that arrive later. */
  late: (Sent & { at: number })[];
};
