import { dayMs, hourMs, minuteMs, secondMs } from "../../../src/base/lib/time/durations.ts";
import type { FakeStripe, StripeEvent } from "../../../test/support/fake-stripe.ts";
import type { World } from "../../kernel/world.ts";

/** Stripe's events on their way to the Worker, each with what becomes of it: it comes soon, late, twice, or never. */
export type Webhooks = {
  endpoint: string;
  secret: string;
  /** Those that arrive now, in any order. */
  ready: StripeEvent[];
  /** Draws the fates of the events that have happened since the last call. */
  gather: () => void;
  /** Has an event come (again) after a while. */
  comeAfter: (event: StripeEvent, ms: number) => void;
  passTime: () => void;
  instants: () => number[];
};

export function newWebhooks(world: World, fake: FakeStripe): Webhooks {
  const { endpoint, secret } = fake.addEndpoint("https://subscriptions.example.com/webhooks/stripe");
  const ready: StripeEvent[] = [];
  let underWay: { event: StripeEvent; at: number }[] = [];
  let seen = 0;
  const comeAfter = (event: StripeEvent, ms: number): void => {
    underWay.push({ event, at: world.clock + ms });
  };
  const passTime = (): void => {
    for (const { event, at } of underWay) if (at <= world.clock) ready.push(event);
    underWay = underWay.filter(({ at }) => at > world.clock);
  };
  return {
    endpoint: endpoint.id,
    secret,
    ready,
    gather() {
      for (const event of fake.events.slice(seen)) {
        const delays = isHeard(event) ? world.choices.weighted(fates) : [];
        if (isHeard(event) && delays.length === 0) world.count("webhooks lost");
        for (const ms of delays) comeAfter(event, ms);
      }
      seen = fake.events.length;
      passTime();
    },
    comeAfter,
    passTime,
    instants: () => underWay.map(({ at }) => at),
  };
}

function isHeard({ type }: StripeEvent): boolean {
  return /^(payment_intent|refund|charge\.dispute)\./.test(type);
}

/** How long an event takes to come, once for each time that it comes. Stripe promises neither an order nor that one comes once. */
const fates: readonly (readonly [number[], number])[] = [
  [[], 5],
  [[0], 4],
  [[5 * secondMs], 4],
  [[20 * minuteMs], 2],
  [[5 * hourMs], 1],
  [[2 * dayMs], 1],
  [[0, 5 * secondMs], 2],
  [[minuteMs, 7 * hourMs], 1],
];
