import type { AnyOperation } from "../kit/http/operation.ts";

/** Loads operations: those of the paths in question, and maybe others. */
export type Load = () => Promise<AnyOperation[]>;

const reasons: Load = async () => (await import("../domain/reasons/routes.ts")).reasonOperations;

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
  "/api/subscriptions/entities/*": async () =>
    (await import("../domain/entities/routes.ts")).entityOperations,
  "/api/subscriptions/selling-plans/*": async () =>
    (await import("../domain/selling-plans/routes.ts")).sellingPlanOperations,
  "/api/subscriptions/delivery-days/*": async () =>
    (await import("../domain/delivery/routes.ts")).deliveryDayOperations,
  "/api/subscriptions/delivery-slots/*": async () =>
    (await import("../domain/delivery/routes.ts")).deliverySlotOperations,
  "/api/subscriptions/orders/*": async () => (await import("../domain/orders/routes.ts")).orderOperations,
  "/api/subscriptions/skip-reasons/*": reasons,
  "/api/subscriptions/pause-reasons/*": reasons,
  "/api/subscriptions/cancellation-reasons/*": reasons,
  "/api/subscriptions/*": () =>
    all([
      import("../domain/subscriptions/routes.ts").then((its) => its.subscriptionOperations),
      import("../domain/subscriptions/operations.ts").then((its) => its.subscriptionChanges),
      import("../domain/billing/routes.ts").then((its) => its.billingOperations),
      import("../domain/billing/upcoming-routes.ts").then((its) => its.upcomingOperations),
      import("../domain/billing/attempt-routes.ts").then((its) => its.attemptOperations),
    ]),
  "/api/billing-attempts/*": async () =>
    (await import("../domain/billing/attempt-routes.ts")).attemptOperations,
  "/api/profiles/*": () =>
    all([
      import("../domain/profiles/routes.ts").then((its) => [
        ...its.profileOperations,
        ...its.addressOperations,
      ]),
      import("../edges/activity-logs/routes.ts").then((its) => its.activityLogOperations),
    ]),
  "/api/activity-logs/*": async () =>
    (await import("../edges/activity-logs/routes.ts")).activityLogOperations,
  "/api/events/*": async () => (await import("../domain/events/routes.ts")).eventOperations,
  "/api/webhook-endpoints/*": async () =>
    (await import("../edges/webhook-endpoints/routes.ts")).webhookEndpointOperations,
  "/api/account/*": () =>
    all([
      import("../edges/settings/routes.ts").then((its) => its.settingsOperations),
      import("../domain/contracts/routes.ts").then((its) => its.contractOperations),
      import("../edges/portal/settings-routes.ts").then((its) => its.portalSettingsOperations),
    ]),
  "/api/portal/*": () =>
    all([
      import("../edges/portal/settings-routes.ts").then((its) => its.portalSettingsOperations),
      import("../edges/portal/session-routes.ts").then((its) => its.sessionOperations),
      import("../edges/portal/me-routes.ts").then((its) => its.ownOperations),
    ]),
  "/api/public/*": async () => (await import("../edges/portal/routes.ts")).portalOperations,
  "/api/auth/*": async () => (await import("../edges/auth/routes.ts")).authOperations,
  "/.well-known/*": () =>
    all([
      import("../edges/auth/routes.ts").then((its) => its.authOperations),
      import("../edges/mcp/protected-resource.ts").then((its) => its.protectedResource),
    ]),
  "/webhooks/*": async () => (await import("../edges/webhooks/routes.ts")).webhookOperations,
  "/health": async () => (await import("../edges/health/routes.ts")).healthOperations,
  "/mcp/*": everything,
  "/api": everything,
  "/api.json": everything,
  "/api.yaml": everything,
};
