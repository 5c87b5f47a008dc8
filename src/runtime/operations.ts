import { attemptOperations } from "../domain/billing/attempt-routes.ts";
import { billingOperations } from "../domain/billing/routes.ts";
import { upcomingOperations } from "../domain/billing/upcoming-routes.ts";
import { contractOperations } from "../domain/contracts/routes.ts";
import { deliveryDayOperations, deliverySlotOperations } from "../domain/delivery/routes.ts";
import { entityOperations } from "../domain/entities/routes.ts";
import { eventOperations } from "../domain/events/routes.ts";
import { orderOperations } from "../domain/orders/routes.ts";
import { addressOperations, profileOperations } from "../domain/profiles/routes.ts";
import { reasonOperations } from "../domain/reasons/routes.ts";
import { sellingPlanOperations } from "../domain/selling-plans/routes.ts";
import { subscriptionChanges } from "../domain/subscriptions/operations.ts";
import { subscriptionOperations } from "../domain/subscriptions/routes.ts";
import { webhookDescriptions } from "../domain/webhook-endpoints/event-schemas.ts";
import { activityLogOperations } from "../edges/activity-logs/routes.ts";
import { authOperations } from "../edges/auth/routes.ts";
import { introduction } from "../edges/docs/introduction.ts";
import { docsOperations, documentInfo, tagMeanings } from "../edges/docs/routes.ts";
import { healthOperations } from "../edges/health/routes.ts";
import { mcpOperations } from "../edges/mcp/routes.ts";
import { ownOperations } from "../edges/portal/me-routes.ts";
import { portalOperations } from "../edges/portal/routes.ts";
import { sessionOperations } from "../edges/portal/session-routes.ts";
import { portalSettingsOperations } from "../edges/portal/settings-routes.ts";
import { settingsOperations } from "../edges/settings/routes.ts";
import { webhookEndpointOperations } from "../edges/webhook-endpoints/routes.ts";
import { webhookOperations } from "../edges/webhooks/routes.ts";
import { documentOf } from "../kit/http/document.ts";
import type { AnyOperation } from "../kit/http/operation.ts";

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
