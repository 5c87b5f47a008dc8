import type { Job } from "../../../src/base/job.ts";
import { plainId } from "../../../src/stores/ids.ts";
import { shopifyStore } from "../../../src/stores/shopify/adapter.ts";
import { emailScope, optionalScopes, requiredScopes } from "../../../src/stores/shopify/app/scopes.ts";
import { fakeShopify } from "../../../test/support/fake-shopify.ts";
import { dbOf } from "../../kernel/ports.ts";
import { planId, usualWeights } from "../../kernel/store.ts";
import type { Task } from "../../kernel/task.ts";
import { instantOf, type World } from "../../kernel/world.ts";
import { currencies } from "../currencies.ts";
import type { StoreWatch } from "../watched.ts";
import { newAttempts } from "./attempts.ts";
import { newContracts } from "./contracts.ts";
import { type OpenShopify, shopifyOf } from "./opened.ts";
import { send } from "./requests.ts";

export function openShopify(world: World, watch: StoreWatch): OpenShopify {
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
  const attempts = newAttempts(world, fake, watch);
  const contracts = newContracts(world, fake);

  const opened: OpenShopify = {
    weights: { ...usualWeights, query: 0.6 },
    drawCurrency: () => fake.settings.currency,
    fake,
    customer: plainId("Customer", customer),
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
        connect: async () => ({ shop, token, send: send(world, opened, watch, { task, job }) }),
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
  shopifyOf.set(world, opened);
  return opened;
}

const shop = "simulated.myshopify.com";
const token = "shpat_simulated";
/** So many that only the schedule throttles. */
const points = { maximum: 1e12, restoreRate: 1e9 };
