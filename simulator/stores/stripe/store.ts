import type { Job } from "../../../src/base/job.ts";
import { stripeStore } from "../../../src/stores/stripe/adapter.ts";
import type { OpenedStripeConnection } from "../../../src/stores/stripe/connection.ts";
import { newFakeStripe } from "../../../test/support/fake-stripe.ts";
import { dbOf, env } from "../../kernel/ports.ts";
import { usualWeights } from "../../kernel/store.ts";
import type { Task } from "../../kernel/task.ts";
import { instantOf, type World } from "../../kernel/world.ts";
import { newCharges } from "./charges.ts";
import { currencies } from "./currencies.ts";
import { newDisputes } from "./disputes.ts";
import { type OpenStripe, stripeOf } from "./opened.ts";
import { newRefunds } from "./refunds.ts";
import { askOf } from "./requests.ts";
import type { StripeWatch } from "./watched.ts";
import { newWebhooks } from "./webhooks.ts";

export function openStripe(world: World, watch: StripeWatch, sendsWebhooks: boolean): OpenStripe {
  const fake = newFakeStripe({ now: () => world.clock });
  const customer = fake.addCustomer().id;
  const webhooks = sendsWebhooks ? newWebhooks(world, fake) : undefined;
  const charges = newCharges(world, { fake, webhooks, watch });
  const refunds = newRefunds(world, fake, () => webhooks?.gather());
  const disputes = newDisputes(world, fake, () => webhooks?.gather());
  const connection = {
    credentials: { publishable_key: fake.settings.publishableKey },
  } as OpenedStripeConnection;

  const opened: OpenStripe = {
    weights: { ...usualWeights, query: 1, mutation: 3 },
    drawCurrency: () => world.choices.weighted(currencies),
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
        ask: askOf(world, opened, watch, { task, job }),
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
  stripeOf.set(world, opened);
  return opened;
}
