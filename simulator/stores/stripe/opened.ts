import type { FakeStripe } from "../../../test/support/fake-stripe.ts";
import { perAccount } from "../../kernel/per-account.ts";
import type { SimulatedStore } from "../../kernel/store.ts";
import type { Charges } from "./charges.ts";
import type { Disputes } from "./disputes.ts";
import type { Refunds } from "./refunds.ts";
import type { Webhooks } from "./webhooks.ts";

/** The fake account at Stripe behind the Worker's own adapter. */
export type OpenStripe = SimulatedStore & {
  fake: FakeStripe;
  customer: string;
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

/** The store of an account, where it is Stripe. */
export const stripeOf = perAccount((): OpenStripe | undefined => undefined);
