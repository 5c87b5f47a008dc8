import { once } from "../base/lib/once.ts";
import type { AnyOperation } from "../kit/http/operation.ts";
import type { makeDocument } from "./document.ts";

/** Operations that are declared together, and the patterns of their paths. */
type Area = { paths: string[]; load: () => Promise<AnyOperation[]> };

/**
 * Every operation of the API by area, in the order of the documentation. An area is loaded by the first request for a path of it: most of
 * what starting a Worker costs is making schemas, and an isolate seldom needs all of them.
 */
export const areas: Area[] = [
  {
    paths: ["/api/auth/*", "/.well-known/*"],
    load: async () => (await import("../edges/auth/routes.ts")).authOperations,
  },
  {
    paths: ["/api/account/*"],
    load: async () => (await import("../edges/settings/routes.ts")).settingsOperations,
  },
  {
    paths: ["/api/account/*"],
    load: async () => (await import("../domain/contracts/routes.ts")).contractOperations,
  },
  {
    paths: ["/api/profiles/*"],
    load: async () => (await import("../domain/profiles/routes.ts")).profileOperations,
  },
  {
    paths: ["/api/profiles/*"],
    load: async () => (await import("../domain/profiles/routes.ts")).addressOperations,
  },
  {
    paths: ["/api/subscriptions/entities/*"],
    load: async () => (await import("../domain/entities/routes.ts")).entityOperations,
  },
  {
    paths: ["/api/subscriptions/*"],
    load: async () => (await import("../domain/subscriptions/routes.ts")).subscriptionOperations,
  },
  {
    paths: ["/api/subscriptions/*"],
    load: async () => (await import("../domain/billing/upcoming-routes.ts")).upcomingOperations,
  },
  {
    paths: ["/api/subscriptions/*"],
    load: async () => (await import("../domain/subscriptions/operations.ts")).subscriptionChanges,
  },
  {
    paths: ["/api/subscriptions/*"],
    load: async () => (await import("../domain/billing/routes.ts")).billingOperations,
  },
  {
    paths: ["/api/subscriptions/*", "/api/billing-attempts/*"],
    load: async () => (await import("../domain/billing/attempt-routes.ts")).attemptOperations,
  },
  {
    paths: ["/api/subscriptions/selling-plans/*"],
    load: async () => (await import("../domain/selling-plans/routes.ts")).sellingPlanOperations,
  },
  {
    paths: ["/api/subscriptions/delivery-days/*"],
    load: async () => (await import("../domain/delivery/routes.ts")).deliveryDayOperations,
  },
  {
    paths: ["/api/subscriptions/delivery-slots/*"],
    load: async () => (await import("../domain/delivery/routes.ts")).deliverySlotOperations,
  },
  {
    paths: ["/api/subscriptions/orders/*"],
    load: async () => (await import("../domain/orders/routes.ts")).orderOperations,
  },
  {
    paths: ["/api/activity-logs/*", "/api/profiles/*"],
    load: async () => (await import("../edges/activity-logs/routes.ts")).activityLogOperations,
  },
  {
    paths: ["/api/events/*"],
    load: async () => (await import("../domain/events/routes.ts")).eventOperations,
  },
  {
    paths: ["/api/webhook-endpoints/*"],
    load: async () => (await import("../edges/webhook-endpoints/routes.ts")).webhookEndpointOperations,
  },
  {
    paths: [
      "/api/subscriptions/skip-reasons/*",
      "/api/subscriptions/pause-reasons/*",
      "/api/subscriptions/cancellation-reasons/*",
    ],
    load: async () => (await import("../domain/reasons/routes.ts")).reasonOperations,
  },
  {
    paths: ["/api/public/*"],
    load: async () => (await import("../edges/portal/routes.ts")).portalOperations,
  },
  {
    paths: ["/api/account/*", "/api/portal/*"],
    load: async () => (await import("../edges/portal/settings-routes.ts")).portalSettingsOperations,
  },
  {
    paths: ["/api/portal/*"],
    load: async () => (await import("../edges/portal/session-routes.ts")).sessionOperations,
  },
  {
    paths: ["/api/portal/*"],
    load: async () => (await import("../edges/portal/me-routes.ts")).ownOperations,
  },
  {
    paths: ["/webhooks/*"],
    load: async () => (await import("../edges/webhooks/routes.ts")).webhookOperations,
  },
  { paths: ["/health"], load: async () => (await import("../edges/health/routes.ts")).healthOperations },
  {
    paths: ["/mcp/*"],
    load: async () => (await import("../edges/mcp/routes.ts")).mcpOperations(apiDocument, allOperations),
  },
  {
    paths: ["/.well-known/*"],
    load: async () => (await import("../edges/mcp/protected-resource.ts")).protectedResource,
  },
  {
    paths: ["/api", "/api.json", "/api.yaml"],
    load: async () => (await import("../edges/docs/routes.ts")).docsOperations(apiDocument),
  },
];

/** Every operation of the API. */
export const allOperations: () => Promise<AnyOperation[]> = once(async () =>
  (await Promise.all(areas.map(({ load }) => load()))).flat(),
);

/** The OpenAPI document of every operation, made on first use. Isolates that were started on one day answer the same. */
export async function apiDocument(now: Date): Promise<ReturnType<typeof makeDocument>> {
  const operations = await allOperations();
  const { makeDocument } = await import("./document.ts");
  document ??= makeDocument(operations, now);
  return document;
}

let document: ReturnType<typeof makeDocument> | undefined;
