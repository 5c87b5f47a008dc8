import type { FakeStripe } from "../../../test/support/fake-stripe.ts";
import type { World } from "../../kernel/world.ts";
import type { StoreWatch } from "../watched.ts";
import type { OpenStripe } from "./opened.ts";
import type { Received } from "./received.ts";

/** Whoever watches what is asked of Stripe, and how it answers. */
export type StripeWatch = StoreWatch & {
  confirms: (world: World, attemptId: string, intentId: string) => void;
  created: (world: World, stripe: OpenStripe) => void;
  cancels: (world: World, fake: FakeStripe, request: Received) => void;
  answered: (world: World, what: string, response: Response) => Promise<void>;
};
