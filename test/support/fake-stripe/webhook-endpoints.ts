import { invalid, wrongParameter } from "./errors.ts";
import { listPage, listParams } from "./lists.ts";
import { changedMetadata, flag, list, required, text, unsettable } from "./parameters.ts";
import type { WebhookEndpoint } from "./records.ts";
import type { Call, Route } from "./routes.ts";
import { type FakeAccount, findRecord, newRecord } from "./store.ts";

/** docs.stripe.com/api/webhook_endpoints */
export const webhookEndpointRoutes: Route[] = [
  {
    operation: "webhook_endpoints.create",
    method: "POST",
    path: "/v1/webhook_endpoints",
    params: ["url", "enabled_events", "api_version", "description", "metadata"],
    run: createEndpoint,
  },
  {
    operation: "webhook_endpoints.list",
    method: "GET",
    path: "/v1/webhook_endpoints",
    params: listParams.filter((name) => name !== "created"),
    run: ({ account, params }) => listPage("/v1/webhook_endpoints", account.endpoints.values(), params),
  },
  {
    operation: "webhook_endpoints.retrieve",
    method: "GET",
    path: "/v1/webhook_endpoints/*",
    params: [],
    run: ({ account, ids: [id = ""] }) => findRecord(account.endpoints, "webhook endpoint", id),
  },
  {
    operation: "webhook_endpoints.update",
    method: "POST",
    path: "/v1/webhook_endpoints/*",
    params: ["url", "enabled_events", "disabled", "description", "metadata"],
    run: updateEndpoint,
  },
  {
    operation: "webhook_endpoints.delete",
    method: "DELETE",
    path: "/v1/webhook_endpoints/*",
    params: [],
    run: ({ account, ids: [id = ""] }) => {
      findRecord(account.endpoints, "webhook endpoint", id);
      account.endpoints.delete(id);
      account.endpointSecrets.delete(id);
      return { id, object: "webhook_endpoint", deleted: true };
    },
  },
];

/** docs.stripe.com/webhooks, "You can register up to 16 webhook endpoints". */
const mostEndpoints = 16;

/** The answer shows the secret, as none does later (docs.stripe.com/api/webhook_endpoints/object). */
function createEndpoint({ account, params }: Call): WebhookEndpoint & { secret: string } {
  const url = required(params, "url");
  refuseUrl(account, url);
  if (account.endpoints.size >= mostEndpoints)
    throw invalid(`You have reached the maximum of ${mostEndpoints} test webhook endpoints.`);
  const { endpoint, secret } = addEndpoint(account, {
    url,
    enabled_events: eventsIn(list(params, "enabled_events")),
    api_version: text(params, "api_version") ?? null,
    description: unsettable(params, "description") ?? null,
    metadata: changedMetadata(params),
  });
  return { ...endpoint, secret };
}

export function addEndpoint(
  account: FakeAccount,
  fields: Pick<WebhookEndpoint, "url" | "enabled_events"> & Partial<WebhookEndpoint>,
): { endpoint: WebhookEndpoint; secret: string } {
  const secret = `whsec_${account.secret(32)}`;
  const endpoint: WebhookEndpoint = {
    ...newRecord(account, "webhook_endpoint", "we"),
    api_version: null,
    description: null,
    metadata: {},
    status: "enabled",
    ...fields,
  };
  account.endpoints.set(endpoint.id, endpoint);
  account.endpointSecrets.set(endpoint.id, [{ secret, expiresAt: Number.POSITIVE_INFINITY }]);
  return { endpoint, secret };
}

function updateEndpoint({ account, ids: [id = ""], params }: Call): WebhookEndpoint {
  const endpoint = findRecord(account.endpoints, "webhook endpoint", id);
  const url = text(params, "url");
  if (url !== undefined) refuseUrl(account, url);
  const disabled = flag(params, "disabled");
  Object.assign(endpoint, {
    url: url ?? endpoint.url,
    enabled_events:
      params.enabled_events === undefined
        ? endpoint.enabled_events
        : eventsIn(list(params, "enabled_events")),
    status: disabled === undefined ? endpoint.status : disabled ? "disabled" : "enabled",
    description: unsettable(params, "description") ?? endpoint.description,
    metadata: changedMetadata(params, endpoint.metadata),
  });
  return endpoint;
}

function eventsIn(named: string[] | undefined): string[] {
  if (!named || named.length === 0)
    throw wrongParameter("enabled_events", "parameter_missing", "Missing required param: enabled_events.");
  return named;
}

/** An address that Stripe cannot reach is refused (docs.stripe.com/error-codes, `url_invalid`; that a local address is one: guess). */
function refuseUrl({ settings }: FakeAccount, url: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    throw invalid("Invalid URL: An explicit scheme (such as https) must be provided.", {
      code: "url_invalid",
      param: "url",
    });
  if (settings.livemode && parsed.protocol !== "https:")
    throw invalid("Invalid URL: The URL must begin with https.", { code: "url_invalid", param: "url" });
  if (!settings.reachesLoopback && /^(localhost|127\.|\[::1\])/.test(parsed.hostname))
    throw invalid("Invalid URL: URL must be publicly accessible.", { code: "url_invalid", param: "url" });
}

/**
 * A new secret. The one before goes on signing for as long as the merchant has chosen, up to 24 hours
 * (docs.stripe.com/webhooks, "Roll endpoint signing secrets").
 */
export function rollSecret(account: FakeAccount, id: string, expiresInMs: number): string {
  const secret = `whsec_${account.secret(32)}`;
  const expiresAt = account.nowMs() + expiresInMs;
  const before = (account.endpointSecrets.get(id) ?? []).map((one) => ({ ...one, expiresAt }));
  account.endpointSecrets.set(id, [{ secret, expiresAt: Number.POSITIVE_INFINITY }, ...before]);
  return secret;
}
