import { activityLogOperations } from "./activity-logs/routes.ts";
import { authOperations } from "./auth/routes.ts";
import { attemptOperations } from "./billing/attempt-routes.ts";
import { billingOperations } from "./billing/routes.ts";
import { upcomingOperations } from "./billing/upcoming-routes.ts";
import { contractOperations } from "./contracts/routes.ts";
import { deliveryDayOperations, deliverySlotOperations } from "./delivery/routes.ts";
import { introduction } from "./docs/introduction.ts";
import { docsOperations, documentInfo, tagMeanings } from "./docs/routes.ts";
import { entityOperations } from "./entities/routes.ts";
import { eventOperations } from "./events/routes.ts";
import { healthOperations } from "./health/routes.ts";
import { documentOf } from "./http/document.ts";
import type { AnyOperation } from "./http/operation.ts";
import { mcpOperations } from "./mcp/routes.ts";
import { orderOperations } from "./orders/routes.ts";
import { ownOperations } from "./portal/me-routes.ts";
import { portalOperations } from "./portal/routes.ts";
import { sessionOperations } from "./portal/session-routes.ts";
import { portalSettingsOperations } from "./portal/settings-routes.ts";
import { addressOperations, profileOperations } from "./profiles/routes.ts";
import { reasonOperations } from "./reasons/routes.ts";
import { sellingPlanOperations } from "./selling-plans/routes.ts";
import { settingsOperations } from "./settings/routes.ts";
import { subscriptionChanges } from "./subscriptions/operations.ts";
import { subscriptionOperations } from "./subscriptions/routes.ts";
import { webhookDescriptions } from "./webhook-endpoints/event-schemas.ts";
import { webhookEndpointOperations } from "./webhook-endpoints/routes.ts";
import { webhookOperations } from "./webhooks/routes.ts";

/**
 * The OpenAPI document of every operation, made on first use. The dates in its examples are counted from that day, so that
 * isolates that were started on one day answer the same.
 */
export function apiDocument(now: Date): ReturnType<typeof documentOf> {
  const today = new Date(now.toISOString().slice(0, 10));
  document ??= documentOf(
    { ...documentInfo, description: introduction() },
    tagMeanings,
    operations,
    webhookDescriptions,
    today,
  );
  return document;
}

const served: AnyOperation[] = [
  ...authOperations,
  ...settingsOperations,
  ...contractOperations,
  ...profileOperations,
  ...addressOperations,
  ...entityOperations,
  ...subscriptionOperations,
  ...upcomingOperations,
  ...subscriptionChanges,
  ...billingOperations,
  ...attemptOperations,
  ...sellingPlanOperations,
  ...deliveryDayOperations,
  ...deliverySlotOperations,
  ...orderOperations,
  ...activityLogOperations,
  ...eventOperations,
  ...webhookEndpointOperations,
  ...reasonOperations,
  ...portalOperations,
  ...portalSettingsOperations,
  ...sessionOperations,
  ...ownOperations,
  ...webhookOperations,
  ...healthOperations,
];

let document: ReturnType<typeof documentOf> | undefined;

/** Every operation of the API, in the order of the documentation. */
export const operations: AnyOperation[] = [
  ...served,
  ...mcpOperations(apiDocument, () => operations),
  ...docsOperations(apiDocument),
];
