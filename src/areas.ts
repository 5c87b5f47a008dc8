import type { AnyOperation } from "./http/operation.ts";

/** Loads operations: those of the paths in question, and maybe others. */
export type Load = () => Promise<AnyOperation[]>;

const reasons: Load = async () => (await import("./reasons/routes.ts")).reasonOperations;

/** Agents and the documentation know all operations. */
const everything: Load = async () => (await import("./operations.ts")).operations;

async function all(parts: Promise<AnyOperation[]>[]): Promise<AnyOperation[]> {
  return (await Promise.all(parts)).flat();
}

/**
 * Where the operations of each part of the API are declared, the more specific parts first. A part is loaded by its first request: most
 * of what starting a Worker costs is making schemas, and an isolate seldom needs all of them.
 */
export const areas: Record<string, Load> = {
  "/api/subscriptions/entities/*": async () => (await import("./entities/routes.ts")).entityOperations,
  "/api/subscriptions/selling-plans/*": async () =>
    (await import("./selling-plans/routes.ts")).sellingPlanOperations,
  "/api/subscriptions/delivery-days/*": async () =>
    (await import("./delivery/routes.ts")).deliveryDayOperations,
  "/api/subscriptions/delivery-slots/*": async () =>
    (await import("./delivery/routes.ts")).deliverySlotOperations,
  "/api/subscriptions/orders/*": async () => (await import("./orders/routes.ts")).orderOperations,
  "/api/subscriptions/skip-reasons/*": reasons,
  "/api/subscriptions/pause-reasons/*": reasons,
  "/api/subscriptions/cancellation-reasons/*": reasons,
  "/api/subscriptions/*": () =>
    all([
      import("./subscriptions/routes.ts").then((its) => its.subscriptionOperations),
      import("./subscriptions/operations.ts").then((its) => its.subscriptionChanges),
      import("./billing/routes.ts").then((its) => its.billingOperations),
      import("./billing/upcoming-routes.ts").then((its) => its.upcomingOperations),
      import("./billing/attempt-routes.ts").then((its) => its.attemptOperations),
    ]),
  "/api/billing-attempts/*": async () => (await import("./billing/attempt-routes.ts")).attemptOperations,
  "/api/profiles/*": () =>
    all([
      import("./profiles/routes.ts").then((its) => [...its.profileOperations, ...its.addressOperations]),
      import("./activity-logs/routes.ts").then((its) => its.activityLogOperations),
    ]),
  "/api/activity-logs/*": async () => (await import("./activity-logs/routes.ts")).activityLogOperations,
  "/api/events/*": async () => (await import("./events/routes.ts")).eventOperations,
  "/api/webhook-endpoints/*": async () =>
    (await import("./webhook-endpoints/routes.ts")).webhookEndpointOperations,
  "/api/account/*": () =>
    all([
      import("./settings/routes.ts").then((its) => its.settingsOperations),
      import("./contracts/routes.ts").then((its) => its.contractOperations),
      import("./portal/settings-routes.ts").then((its) => its.portalSettingsOperations),
    ]),
  "/api/portal/*": () =>
    all([
      import("./portal/settings-routes.ts").then((its) => its.portalSettingsOperations),
      import("./portal/session-routes.ts").then((its) => its.sessionOperations),
      import("./portal/me-routes.ts").then((its) => its.ownOperations),
    ]),
  "/api/public/*": async () => (await import("./portal/routes.ts")).portalOperations,
  "/api/auth/*": async () => (await import("./auth/routes.ts")).authOperations,
  "/.well-known/*": () =>
    all([
      import("./auth/routes.ts").then((its) => its.authOperations),
      import("./mcp/protected-resource.ts").then((its) => its.protectedResource),
    ]),
  "/webhooks/*": async () => (await import("./webhooks/routes.ts")).webhookOperations,
  "/health": async () => (await import("./health/routes.ts")).healthOperations,
  "/mcp/*": everything,
  "/api": everything,
  "/api.json": everything,
  "/api.yaml": everything,
};
