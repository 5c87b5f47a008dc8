import { forgetAccount } from "../../src/base/accounts/queries.ts";
import { commit } from "../../src/base/db/commit.ts";
import { hourMs } from "../../src/base/lib/time/durations.ts";
import { writeConnection } from "../../src/stores/stripe/connection.ts";
import { serve } from "../http/serve.ts";
import { start } from "../kernel/invocations.ts";
import { env } from "../kernel/ports.ts";
import { instantOf, type World } from "../kernel/world.ts";
import type { OpenStripe } from "../stores/stripe/opened.ts";

/** Stores the connection of the account to Stripe, with the secret of the endpoint: an operator has made it by hand. */
export async function connectForWebhooks(world: World, { fake, webhooks }: OpenStripe): Promise<void> {
  const { account, database } = world;
  const { secretKeys, publishableKey, accountId } = fake.settings;
  const connection = await writeConnection(env.STORE_CREDENTIALS_KEY!, {
    accountId: account.id,
    store_account: accountId,
    credentials: {
      secret_key: secretKeys[0]!,
      publishable_key: publishableKey,
      webhook_secrets: [webhooks!.secret],
    },
    webhook_endpoint: null,
    now: instantOf(world),
  });
  await commit({ db: database }, [connection]);
}

/**
 * A webhook comes to some isolate, which answers it at the Worker's own route. Where it does not, Stripe sends it again, signed anew:
 * for three days.
 */
export function receiveWebhook(world: World, { fake, webhooks }: OpenStripe, nth: number): Promise<void> {
  const { endpoint, ready, comeAfter } = webhooks!;
  const [event] = ready.splice(nth, 1);
  const { account, report, isQuiesced } = world;
  world.count("webhooks received");
  let isTaken = false;
  return start(
    world,
    `webhook ${event!.type}`,
    async (task) => {
      await world.whereabouts?.enter(task, "request");
      forgetAccount(account.id);
      const { status, text, rest } = await serve(world, task, {
        request: await fake.send(endpoint, event!),
        path: "/webhooks/stripe/{account_id}",
        params: { account_id: account.id },
      });
      await Promise.all(rest);
      isTaken = status === 200;
      if (!isTaken && (isQuiesced || (status < 500 && status !== 429)))
        report(taken, `${event!.type}: ${status} ${text}`);
    },
    () => {
      if (!isTaken && world.clock - event!.created * 1000 < triesMs) comeAfter(event!, hourMs);
    },
  );
}

const taken = "a webhook that Stripe has signed is taken";

/** https://docs.stripe.com/webhooks#automatic-retries */
const triesMs = 72 * hourMs;
