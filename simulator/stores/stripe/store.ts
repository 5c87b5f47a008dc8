import type { Job } from "../../../src/base/job.ts";
import { stripeStore } from "../../../src/stores/stripe/adapter.ts";
import type { OpenedStripeConnection } from "../../../src/stores/stripe/connection.ts";
import { type FakeStripe, newFakeStripe } from "../../../test/support/fake-stripe.ts";
import { dbOf, env } from "../../kernel/ports.ts";
import type { SimulatedStore } from "../../kernel/store.ts";
import type { Task } from "../../kernel/task.ts";
import { instantOf, type World } from "../../kernel/world.ts";
import { type Charges, newCharges } from "./charges.ts";
import { type Disputes, newDisputes } from "./disputes.ts";
import { newRefunds, type Refunds } from "./refunds.ts";
import { askOf } from "./requests.ts";
import { newWebhooks, type Webhooks } from "./webhooks.ts";

/** The fake account at Stripe behind the Worker's own adapter. */
export type OpenStripe = SimulatedStore & {
  fake: FakeStripe;
  customer: string;
  cards: string[];
  charges: Charges;
  /** Requests whose senders gave up, and that arrive later; `key` is in use meanwhile. */
  late: { at: number; what: string; arrive: () => Promise<unknown>; key: string | undefined }[];
  keysInUse: Set<string>;
  /** The keys of attempts for which Stripe has answered a creation with a failure, which it repeats whether it has created one or not. */
  failedCreations: Set<string>;
  refunds: Refunds;
  disputes: Disputes;
  /** Its webhooks, in the schedules in which they come to the Worker's own route. */
  webhooks: Webhooks | undefined;
};

export function openStripe(world: World, sendsWebhooks: boolean): OpenStripe {
  const fake = newFakeStripe({ now: () => world.clock });
  const customer = fake.addCustomer().id;
  const webhooks = sendsWebhooks ? newWebhooks(world, fake) : undefined;
  const charges = newCharges(world, fake, webhooks);
  const refunds = newRefunds(world, fake, () => webhooks?.gather());
  const disputes = newDisputes(world, fake, () => webhooks?.gather());
  const connection = {
    credentials: { publishable_key: fake.settings.publishableKey },
  } as OpenedStripeConnection;

  const opened: OpenStripe = {
    fake,
    customer,
    cards: Array.from({ length: 5 }, () => fake.addPaymentMethod(customer).id),
    charges,
    late: [],
    keysInUse: new Set(),
    failedCreations: new Set(),
    refunds,
    disputes,
    webhooks,
    entries: charges.entries,
    referenceOf: (charge) => charges.intentOf(charge).id,
    orderOf: (charge) => charges.intentOf(charge).id,
    showsOrderOf: () => true,
    requests: 0,
    open: (task: Task, job: Job | undefined) =>
      stripeStore({
        db: dbOf(world, task),
        account: world.account,
        now: instantOf(world),
        realNow: instantOf(world),
        ask: askOf(world, opened, task, job),
        connect: async () => connection,
        confirmationUrlOf: (attemptId) => `${env.PUBLIC_URL}/portal/pay/${attemptId}`,
        log: () => {},
      }),
    async passTime() {
      const arrived = opened.late.filter(({ at }) => at <= world.clock);
      opened.late = opened.late.filter(({ at }) => at > world.clock);
      for (const { what, arrive, key } of arrived) {
        if (key !== undefined) opened.keysInUse.delete(key);
        world.log(() => `(${what} ARRIVES LATE)`);
        await arrive();
      }
      await charges.passTime();
      refunds.passTime();
      disputes.passTime();
      webhooks?.passTime();
    },
    nextAt() {
      const instants = [
        ...opened.late.map(({ at }) => at),
        ...charges.instants(),
        ...refunds.instants(),
        ...disputes.instants(),
        ...(webhooks?.instants() ?? []),
      ];
      return instants.length === 0 ? undefined : Math.min(...instants);
    },
  };
  return opened;
}
