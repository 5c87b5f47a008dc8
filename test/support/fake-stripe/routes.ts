import { accountRoutes } from "./account.ts";
import { chargeRoutes } from "./charges.ts";
import { checkoutRoutes } from "./checkout.ts";
import { customerRoutes } from "./customers.ts";
import { disputeRoutes } from "./disputes.ts";
import { eventRoutes } from "./event-routes.ts";
import type { Params } from "./form.ts";
import { paymentIntentRoutes } from "./payment-intents.ts";
import { paymentMethodRoutes } from "./payment-methods.ts";
import { refundRoutes } from "./refunds.ts";
import { setupIntentRoutes } from "./setup-intents.ts";
import type { FakeAccount } from "./store.ts";
import { webhookEndpointRoutes } from "./webhook-endpoints.ts";

/** A request, as an endpoint takes it. */
export type Call = { account: FakeAccount; ids: string[]; params: Params; version: string };

export type Route = {
  /** The name that Stripe's libraries have for it, as `payment_intents.confirm`. */
  operation: string;
  method: "GET" | "POST" | "DELETE";
  /** Each `*` is an id. */
  path: string;
  /** The parameters that it takes. */
  params: readonly string[];
  /** Whether a browser may call it, with the publishable key and the record's client secret. */
  isPublic?: boolean;
  run(call: Call): object;
};

export type Found = { route: Route; ids: string[] };

const routes = (): Route[] => [
  ...accountRoutes,
  ...chargeRoutes,
  ...checkoutRoutes,
  ...customerRoutes,
  ...disputeRoutes,
  ...eventRoutes,
  ...paymentIntentRoutes,
  ...paymentMethodRoutes,
  ...refundRoutes,
  ...setupIntentRoutes,
  ...webhookEndpointRoutes,
];

export function findRoute(method: string, pathname: string): Found | undefined {
  for (const route of routes()) {
    if (route.method !== method) continue;
    const pattern = new RegExp(`^${route.path.replaceAll("*", "([^/]+)")}$`);
    const match = pattern.exec(pathname);
    if (match) return { route, ids: match.slice(1).map(decodeURIComponent) };
  }
  return undefined;
}
