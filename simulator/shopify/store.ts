import type { Job } from "../../src/job.ts";
import { shopifyStore } from "../../src/store/shopify/adapter.ts";
import { type FakeShopify, fakeShopify } from "../../test/support/fake-shopify.ts";
import type { Outside } from "../outside.ts";
import { dbOf } from "../ports.ts";
import type { Task } from "../task.ts";
import { instantOf, type World } from "../world.ts";
import { type Attempts, newAttempts } from "./attempts.ts";
import { type Contracts, newContracts } from "./contracts.ts";
import { type Sent, send } from "./requests.ts";

const shop = "simulated.myshopify.com";
const token = "shpat_simulated";
/** Never throttled but where the schedule says so. */
const points = { maximum: 1e12, restoreRate: 1e9 };

/** A store of Shopify's outside of the database, behind the adapter that the Worker has. */
export type OpenShopify = Outside & {
  fake: FakeShopify;
  customer: string;
  cards: string[];
  attempts: Attempts;
  contracts: Contracts;
  /** Requests that their senders have given up, and that arrive later. */
  late: (Sent & { at: number })[];
};

export const openShopify = (world: World): OpenShopify => {
  const fake = fakeShopify({
    ...{ shop, token, points, currency: "USD", taxesIncluded: false },
    taxRate: world.choices.weighted([
      [0, 8],
      [0.1, 2],
    ]),
    settlesAtRead: Number.POSITIVE_INFINITY,
    now: () => world.clock,
  });
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
    requests: 0,
    open: (task: Task, job: Job | undefined) =>
      shopifyStore({
        db: dbOf(world, task),
        account: world.account,
        now: instantOf(world),
        realNow: instantOf(world),
        connect: async () => ({ shop, token, send: send(world, opened, task, job) }),
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
};
