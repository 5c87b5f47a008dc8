import { once } from "../base/lib/once.ts";
import { type LoadedOperation, loadOperation } from "../kit/http/document/load-schemas.ts";
import type { AnyOperation } from "../kit/http/document/operation.ts";
import { receiving } from "../stores/platforms.ts";
import type { makeDocument } from "./document.ts";

/** Operations that are declared together, and their paths. */
export type Area = { paths: string[]; load: () => Promise<AnyOperation[]> };

/**
 * Every operation of the API by area, in the order of the documentation. An area is loaded by the first request for a path of it: an
 * isolate seldom needs all of them.
 */
export const areas: Area[] = [
  {
    paths: ["/api/auth/token", "/.well-known/jwks.json", "/.well-known/security.txt"],
    load: async () => (await import("../edges/auth/routes.ts")).authOperations,
  },
  {
    paths: ["/api/account", "/api/account/test-clock"],
    load: async () => (await import("../edges/settings/routes.ts")).settingsOperations,
  },
  {
    paths: ["/api/account/keys", "/api/account/keys/{id}"],
    load: async () => (await import("../edges/settings/key-routes.ts")).keyOperations,
  },
  {
    paths: ["/api/account/store"],
    load: async () => (await import("../edges/settings/store-routes.ts")).storeOperations,
  },
  {
    paths: ["/api/staff", "/api/staff/{id}", "/api/staff/{id}/invite"],
    load: async () => (await import("../edges/console/staff-routes.ts")).staffOperations,
  },
  {
    paths: ["/api/account/store/unsupported-contracts"],
    load: async () => (await import("../domain/contracts/routes.ts")).contractOperations,
  },
  {
    paths: ["/api/profiles", "/api/profiles/bulk-upload", "/api/profiles/{id}"],
    load: async () => (await import("../domain/profiles/routes.ts")).profileOperations,
  },
  {
    paths: ["/api/profiles/{id}"],
    load: async () => (await import("../domain/privacy/routes.ts")).privacyOperations,
  },
  {
    paths: ["/api/profiles/{id}/addresses", "/api/profiles/{id}/addresses/{addressId}"],
    load: async () => (await import("../domain/profiles/routes.ts")).addressOperations,
  },
  {
    paths: ["/api/profiles/{id}/addresses/{addressId}"],
    load: async () =>
      (await import("../domain/subscriptions/address/saved-address-routes.ts")).savedAddressOperations,
  },
  {
    paths: ["/api/subscriptions/entities", "/api/subscriptions/entities/{id}"],
    load: async () => (await import("../domain/entities/routes.ts")).entityOperations,
  },
  {
    paths: [
      "/api/subscriptions",
      "/api/subscriptions/{id}",
      "/api/subscriptions/{id}/payment-method",
      "/api/subscriptions/{id}/skips",
    ],
    load: async () => (await import("../domain/subscriptions/routes.ts")).subscriptionOperations,
  },
  {
    paths: ["/api/subscriptions/{id}/consents"],
    load: async () => (await import("../domain/subscriptions/consents/routes.ts")).consentOperations,
  },
  {
    paths: ["/api/subscriptions/{id}/upcoming"],
    load: async () => (await import("../domain/billing/upcoming/upcoming-routes.ts")).upcomingOperations,
  },
  {
    paths: [
      "/api/subscriptions/{id}/pause",
      "/api/subscriptions/{id}/resume",
      "/api/subscriptions/{id}/cancel",
      "/api/subscriptions/{id}/reactivate",
      "/api/subscriptions/{id}/skip",
      "/api/subscriptions/{id}/skip-deliveries",
      "/api/subscriptions/{id}/unskip",
      "/api/subscriptions/{id}/undo",
      "/api/subscriptions/{id}/frequency",
      "/api/subscriptions/{id}/delivery-instructions",
      "/api/subscriptions/{id}/schedule",
      "/api/subscriptions/{id}/delivery-address",
      "/api/subscriptions/{id}/lines",
      "/api/subscriptions/{id}/lines/{lineId}",
      "/api/subscriptions/{id}/discounts",
      "/api/subscriptions/{id}/discounts/{discountId}",
    ],
    load: async () => (await import("../domain/subscriptions/operations.ts")).subscriptionChanges,
  },
  {
    paths: [
      "/api/subscriptions/{id}/cancellations",
      "/api/subscriptions/{id}/cancellations/{caseId}",
      "/api/subscriptions/{id}/cancellations/{caseId}/accept",
      "/api/subscriptions/{id}/cancellations/{caseId}/confirm",
    ],
    load: async () => (await import("../domain/cancellation/routes.ts")).cancellationOperations,
  },
  {
    paths: [
      "/api/subscriptions/{id}/ship-now",
      "/api/subscriptions/{id}/retry-payment",
      "/api/subscriptions/{id}/payment-method",
      "/api/subscriptions/{id}/billing-attempts",
      "/api/subscriptions/{id}/billing-attempts/{attemptId}",
      "/api/subscriptions/{id}/dunning-episodes",
    ],
    load: async () => (await import("../domain/billing/routes.ts")).billingOperations,
  },
  {
    paths: ["/api/subscriptions/{id}/resume-billing"],
    load: async () => (await import("../domain/disputes/routes.ts")).disputeOperations,
  },
  {
    paths: ["/api/billing-attempts", "/api/billing-attempts/{id}/settle"],
    load: async () => (await import("../domain/billing/attempt-routes.ts")).attemptOperations,
  },
  {
    paths: ["/api/subscriptions/{id}/explain", "/api/billing-attempts/{id}/explain"],
    load: async () => (await import("../domain/explain/routes.ts")).explainOperations,
  },
  {
    paths: ["/api/declarations", "/api/declarations/{id}"],
    load: async () => (await import("../domain/declarations/routes.ts")).declarationOperations,
  },
  {
    paths: ["/api/dunning-episodes"],
    load: async () => (await import("../domain/dunning/routes.ts")).dunningOperations,
  },
  {
    paths: ["/api/subscriptions/selling-plans", "/api/subscriptions/selling-plans/{id}"],
    load: async () => (await import("../domain/selling-plans/routes.ts")).sellingPlanOperations,
  },
  {
    paths: ["/api/subscriptions/delivery-days", "/api/subscriptions/delivery-days/{id}"],
    load: async () => (await import("../domain/delivery/routes.ts")).deliveryDayOperations,
  },
  {
    paths: ["/api/subscriptions/closed-days", "/api/subscriptions/closed-days/{id}"],
    load: async () => (await import("../domain/closed-days/routes.ts")).closedDayOperations,
  },
  {
    paths: ["/api/subscriptions/delivery-slots", "/api/subscriptions/delivery-slots/{id}"],
    load: async () => (await import("../domain/delivery/routes.ts")).deliverySlotOperations,
  },
  {
    paths: ["/api/subscriptions/orders", "/api/subscriptions/orders/{id}"],
    load: async () => (await import("../domain/orders/routes.ts")).orderOperations,
  },
  {
    paths: [
      "/api/subscriptions/orders/{id}/fulfillment",
      "/api/subscriptions/orders/{id}/cancel",
      "/api/subscriptions/orders/{id}/refunds",
    ],
    load: async () => (await import("../domain/own-orders/routes.ts")).ownOrderOperations,
  },
  {
    paths: ["/api/forecast/goods", "/api/forecast/goods/runs"],
    load: async () => (await import("../domain/goods/routes.ts")).goodsOperations,
  },
  {
    paths: ["/api/insights/retention"],
    load: async () => (await import("../domain/insights/routes.ts")).insightOperations,
  },
  {
    paths: ["/api/bulk"],
    load: async () => (await import("../domain/bulk/routes.ts")).bulkOperations,
  },
  {
    paths: [
      "/api/jobs",
      "/api/jobs/{id}",
      "/api/jobs/{id}/rows",
      "/api/jobs/{id}/start",
      "/api/jobs/{id}/pause",
      "/api/jobs/{id}/resume",
      "/api/jobs/{id}/cancel",
      "/api/jobs/{id}/undo",
    ],
    load: async () => (await import("../domain/merchant-jobs/routes.ts")).jobOperations,
  },
  {
    paths: ["/api/imports", "/api/imports/{id}/parts/{n}", "/api/imports/{id}/release"],
    load: async () => (await import("../domain/imports/routes.ts")).importOperations,
  },
  {
    paths: ["/api/exports"],
    load: async () => (await import("../domain/exports/routes.ts")).exportOperations,
  },
  {
    paths: [
      "/api/activity-logs",
      "/api/activity-logs/integration-actions",
      "/api/activity-logs/actors",
      "/api/profiles/{id}/activity",
    ],
    load: async () => (await import("../edges/activity-logs/routes.ts")).activityLogOperations,
  },
  {
    paths: ["/api/events", "/api/events/{id}"],
    load: async () => (await import("../domain/events/routes.ts")).eventOperations,
  },
  {
    paths: [
      "/api/webhook-endpoints",
      "/api/webhook-endpoints/{id}",
      "/api/webhook-endpoints/{id}/rotate-secret",
      "/api/webhook-endpoints/{id}/test",
      "/api/webhook-endpoints/{id}/recover",
      "/api/webhook-endpoints/{id}/deliveries",
      "/api/webhook-endpoints/{id}/deliveries/{deliveryId}/resend",
    ],
    load: async () => (await import("../domain/webhook-endpoints/routes.ts")).webhookEndpointOperations,
  },
  {
    paths: [
      "/api/subscriptions/skip-reasons",
      "/api/subscriptions/skip-reasons/{id}",
      "/api/subscriptions/skip-reasons/reorder",
      "/api/subscriptions/pause-reasons",
      "/api/subscriptions/pause-reasons/{id}",
      "/api/subscriptions/pause-reasons/reorder",
      "/api/subscriptions/cancellation-reasons",
      "/api/subscriptions/cancellation-reasons/{id}",
      "/api/subscriptions/cancellation-reasons/reorder",
    ],
    load: async () => (await import("../domain/reasons/routes.ts")).reasonOperations,
  },
  {
    paths: ["/api/public/portal/skip-reasons"],
    load: async () => (await import("../edges/portal/routes.ts")).portalOperations,
  },
  {
    paths: ["/api/account/portal", "/api/portal/settings"],
    load: async () => (await import("../edges/portal/settings-routes.ts")).portalSettingsOperations,
  },
  {
    paths: ["/api/account/portal/catalogue"],
    load: async () => (await import("../edges/portal/catalogue-routes.ts")).catalogueOperations,
  },
  {
    paths: ["/api/account/cancellation-flow"],
    load: async () => (await import("../domain/cancellation/flow-routes.ts")).flowOperations,
  },
  {
    paths: ["/api/account/mail", "/api/account/mail/test"],
    load: async () => (await import("../domain/mail/routes.ts")).mailSettingsOperations,
  },
  {
    paths: [
      "/api/account/mail/templates/{kind}/{locale}",
      "/api/account/mail/templates/{kind}/{locale}/preview",
    ],
    load: async () => (await import("../domain/mail/template-routes.ts")).mailTemplateOperations,
  },
  {
    paths: ["/api/mails", "/api/mails/{id}", "/api/mails/{id}/content", "/api/mails/{id}/resend"],
    load: async () => (await import("../domain/mail/routes.ts")).mailOperations,
  },
  {
    paths: ["/api/portal/sessions"],
    load: async () => (await import("../edges/portal/session-routes.ts")).sessionOperations,
  },
  {
    paths: ["/api/portal/store-sessions"],
    load: async () => (await import("../edges/portal/store-session-routes.ts")).storeSessionOperations,
  },
  {
    paths: [
      "/api/portal/me",
      "/api/portal/me/addresses",
      "/api/portal/me/addresses/{id}",
      "/api/portal/me/orders",
      "/api/portal/me/orders/{id}",
    ],
    load: async () => (await import("../edges/portal/me-routes.ts")).ownOperations,
  },
  {
    paths: [
      "/api/portal/me/pictures",
      "/api/portal/subscriptions/{id}/lines",
      "/api/portal/subscriptions/{id}/lines/{lineId}",
    ],
    load: async () => (await import("../edges/portal/line-routes.ts")).ownLineOperations,
  },
  {
    paths: ["/api/portal/subscriptions/{id}/payment-update"],
    load: async () => (await import("../edges/portal/payment-routes.ts")).ownPaymentOperations,
  },
  {
    paths: [
      "/api/portal/payment-methods",
      "/api/portal/payment-methods/{setup_intent_id}/complete",
      "/api/portal/payment-methods/{id}",
    ],
    load: async () => (await import("../edges/portal/payment-method-routes.ts")).ownPaymentMethodOperations,
  },
  {
    paths: receiving.map(({ path }) => path),
    load: async () => (await import("../edges/webhooks/routes.ts")).webhookOperations(),
  },
  {
    paths: ["/webhooks/mail/{provider}/{account_id}"],
    load: async () => (await import("../edges/webhooks/mail-routes.ts")).mailWebhookOperations,
  },
  { paths: ["/health"], load: async () => (await import("../edges/health/routes.ts")).healthOperations },
  {
    paths: ["/mcp", "/mcp/readonly"],
    load: async () => (await import("../edges/mcp/routes.ts")).mcpOperations(apiDocument, allOperations),
  },
  {
    paths: ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"],
    load: async () => (await import("../edges/mcp/protected-resource.ts")).protectedResource,
  },
  {
    paths: ["/api", "/api.json", "/api.yaml"],
    load: async () => (await import("../edges/docs/routes.ts")).docsOperations(apiDocument),
  },
];

/** Every operation of the API, with its schemas. */
export const allOperations: () => Promise<LoadedOperation[]> = once(async () => {
  const declared = await Promise.all(areas.map(({ load }) => load()));
  return Promise.all(declared.flat().map(loadOperation));
});

/** The OpenAPI document of every operation, made on first use. Isolates that were started on one day answer the same. */
export async function apiDocument(now: Date): Promise<Awaited<ReturnType<typeof makeDocument>>> {
  const { makeDocument } = await import("./document.ts");
  document ??= await makeDocument(allOperations, now);
  return document;
}

let document: Awaited<ReturnType<typeof makeDocument>> | undefined;
