import { dayMs } from "../../base/lib/time/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import { answerRecord } from "../../kit/http/answer-record.ts";
import { requireRecentSignIn } from "../../kit/http/credentials.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { answerList, pageAnswer } from "../../kit/http/list/list-answer.ts";
import { createEndpoint, editEndpoint, removeEndpoint, rotateSecret } from "./actions.ts";
import { resend, sendTest } from "./outbox.ts";
import { presentDelivery, presentEndpoint } from "./present.ts";
import { filtersByStatus, getDelivery, getEndpoint, listDeliveries, listEndpoints } from "./queries.ts";
import { startRecovery } from "./recover.ts";
import { openSecret } from "./secrets.ts";
import type { WebhookEndpoint } from "./tables.ts";

const {
  DeliveryData,
  DeliveryList,
  DeliveryQuery,
  deliveryParams,
  EndpointCreate,
  EndpointData,
  EndpointList,
  EndpointQuery,
  EndpointUpdate,
  EndpointWithSecret,
  endpointParams,
  Recovery,
  RecoveryData,
} = deferred(() => import("./schemas.ts"));

const path = "/api/webhook-endpoints";
const common = { tag: "Webhook endpoints", credentials: "either", resource: "webhooks" } as const;
const one = { ...common, path: `${path}/{id}`, params: endpointParams } as const;

function withSecret({ endpoint, secret }: { endpoint: WebhookEndpoint; secret: string }) {
  return {
    data: { ...presentEndpoint(endpoint), secret },
  };
}

/** An endpoint with its current secret. */
async function showSecretAgain(ctx: Ctx, id: string) {
  const endpoint = await getEndpoint(ctx, id);
  return withSecret({ endpoint, secret: await openSecret(ctx, endpoint) });
}

export const webhookEndpointOperations = [
  operation({
    ...common,
    id: "listWebhookEndpoints",
    method: "get",
    path,
    summary: "List webhook endpoints",
    description: "The account's endpoints, enabled or not, newest first.",
    query: EndpointQuery,
    success: pageAnswer("A page of endpoints.", EndpointList),
    handler: ({ c, ctx, query }) =>
      answerList({ c, query }, (page) => listEndpoints(ctx, page), presentEndpoint),
  }),
  operation({
    ...common,
    id: "createWebhookEndpoint",
    method: "post",
    path,
    summary: "Create a webhook endpoint",
    description:
      "Events are sent to it from now on, each at least once and in no order. At most 20 for an account. The answer holds the secret that they are signed with, which is shown here only.",
    body: EndpointCreate,
    errors: ["INVALID_STATE"],
    success: { status: 201, description: "The new endpoint, with its secret.", schema: EndpointWithSecret },
    secretAnswer: true,
    handler: async ({ ctx, body }) => withSecret(await createEndpoint(ctx, body)),
    answerAgain: ({ ctx, created }) => showSecretAgain(ctx, created.endpoint),
  }),
  operation({
    ...one,
    id: "getWebhookEndpoint",
    method: "get",
    summary: "Get a webhook endpoint",
    description: "One endpoint by id, with when it last succeeded or began to fail. Its secret is not shown.",
    success: { status: 200, description: "The endpoint.", schema: EndpointData },
    handler: ({ ctx, params }) => answerRecord(getEndpoint(ctx, params.id), presentEndpoint),
  }),
  operation({
    ...one,
    id: "updateWebhookEndpoint",
    method: "put",
    summary: "Change a webhook endpoint",
    description:
      "`is_enabled: false` cancels what is still to be sent; `true` ends any reason for which it was disabled. What it has missed is had by recovering it.",
    body: EndpointUpdate,
    success: { status: 200, description: "The changed endpoint.", schema: EndpointData },
    handler: ({ ctx, params, body }) => answerRecord(editEndpoint(ctx, params.id, body), presentEndpoint),
  }),
  operation({
    ...one,
    id: "deleteWebhookEndpoint",
    method: "delete",
    summary: "Delete a webhook endpoint",
    description: "What is still to be sent is cancelled.",
    success: { status: 204, description: "Deleted." },
    handler: ({ ctx, params }) => removeEndpoint(ctx, params.id),
  }),
  operation({
    ...one,
    id: "rotateWebhookEndpointSecret",
    method: "post",
    path: `${path}/{id}/rotate-secret`,
    summary: "Give a webhook endpoint a new secret",
    description:
      "For 24 hours the secret before signs along, so that receivers can change over without missing anything.",
    success: { status: 200, description: "The endpoint, with its new secret.", schema: EndpointWithSecret },
    secretAnswer: true,
    destructive: true,
    handler: async ({ c, ctx, params }) => {
      requireRecentSignIn(c);
      return withSecret(await rotateSecret(ctx, params.id));
    },
    answerAgain: ({ ctx, params }) => showSecretAgain(ctx, params.id),
  }),
  operation({
    ...one,
    id: "testWebhookEndpoint",
    method: "post",
    path: `${path}/{id}/test`,
    summary: "Send a webhook endpoint a test",
    description: "An event of type `webhook.test`, whatever types it asks for.",
    errors: ["INVALID_STATE"],
    success: { status: 202, description: "The delivery, which is being sent.", schema: DeliveryData },
    handler: ({ ctx, params }) => answerRecord(sendTest(ctx, params.id), presentDelivery),
    answerAgain: ({ ctx, params, created }) =>
      answerRecord(getDelivery(ctx, params.id, created.eventDelivery), presentDelivery),
  }),
  operation({
    ...one,
    id: "recoverWebhookEndpoint",
    method: "post",
    path: `${path}/{id}/recover`,
    summary: "Send a webhook endpoint what it has missed",
    description:
      "All events since then that it asks for and has not accepted, at most 30 days back, also of before it was made.",
    body: Recovery,
    bodyExample: (now) => ({ since: new Date(now.getTime() - dayMs).toISOString() }),
    errors: ["INVALID_STATE"],
    success: { status: 202, description: "They are being sent.", schema: RecoveryData },
    handler: async ({ ctx, params, body }) => ({
      data: { since: await startRecovery(ctx, params.id, body.since) },
    }),
    answerAgain: async ({ body }) => ({ data: { since: body.since } }),
  }),
  operation({
    ...one,
    id: "listEventDeliveries",
    method: "get",
    path: `${path}/{id}/deliveries`,
    summary: "List what a webhook endpoint was sent",
    description: "Newest first, of the last 30 days.",
    query: DeliveryQuery,
    success: pageAnswer("A page of deliveries.", DeliveryList),
    handler: async ({ c, ctx, params, query }) => {
      const { id: endpoint_id } = await getEndpoint(ctx, params.id);
      return answerList(
        { c, query },
        (page) => listDeliveries(ctx, page, filtersByStatus(query.status), { endpoint_id }),
        presentDelivery,
      );
    },
  }),
  operation({
    ...common,
    id: "resendEventDelivery",
    method: "post",
    path: `${path}/{id}/deliveries/{deliveryId}/resend`,
    summary: "Send an event to a webhook endpoint again",
    description: "At once, whatever became of it before, with all tries before it.",
    params: deliveryParams,
    errors: ["INVALID_STATE"],
    success: { status: 202, description: "The delivery, which is being sent.", schema: DeliveryData },
    handler: ({ ctx, params }) => answerRecord(resend(ctx, params.id, params.deliveryId), presentDelivery),
    answerAgain: ({ ctx, params }) =>
      answerRecord(getDelivery(ctx, params.id, params.deliveryId), presentDelivery),
  }),
];
