import { and, eq, type SQL, sql } from "drizzle-orm";
import { commit } from "../../base/db/commit.ts";
import { guard, isGuard } from "../../base/db/guard.ts";
import { changeLiving } from "../../base/db/living.ts";
import type { Statement } from "../../base/db/port.ts";
import { insertRow } from "../../base/db/row-writes.ts";
import { build, statement } from "../../base/db/statement.ts";
import { DomainError, invalid } from "../../base/errors.ts";
import { type Ctx, keepCreated } from "../../kit/context.ts";
import { getEndpoint } from "./queries.ts";
import type { EndpointChanges, NewEndpoint } from "./schemas.ts";
import { newSecret, rotateColumns } from "./secrets.ts";
import { eventDeliveries, type WebhookEndpoint, webhookEndpoints } from "./tables.ts";
import { findUrlFault } from "./url.ts";

/** Throws VALIDATION_FAILED for a URL that events are not sent to, INVALID_STATE if the account has the most endpoints already. */
export async function createEndpoint(ctx: Ctx, input: NewEndpoint): Promise<WithSecret> {
  requirePublicUrl(ctx, input.url);
  const { account, realNow } = ctx;
  const owner = { account_seq: account.seq, id: ctx.newId() };
  keepCreated(ctx, { endpoint: owner.id });
  const { secret, sealedSecret } = await newSecret(ctx, owner);
  const isEnabled = input.is_enabled ?? true;
  const endpoint: WebhookEndpoint = {
    ...owner,
    kind: "http",
    url: input.url,
    description: input.description ?? null,
    event_types: JSON.stringify(input.event_types ?? ["*"]),
    payload: input.payload ?? "full",
    is_enabled: isEnabled ? 1 : 0,
    disabled_reason: isEnabled ? null : "by_hand",
    failing_since: null,
    last_success_at: null,
    secret: sealedSecret,
    previous_secret: null,
    previous_secret_until: null,
    recovering: null,
    created_at: realNow,
    updated_at: realNow,
    deleted_at: null,
    own_event_types: null,
    mail: null,
    reminders_applied_to: null,
    annual_notice_on: null,
    annual_notice_after: null,
    masked_to: null,
    ...madeBy(ctx),
  };
  await commit(ctx, [
    guard(
      "(SELECT COUNT(*) FROM webhook_endpoints WHERE account_seq = ? AND deleted_at IS NULL AND kind = 'http') >= CAST(? AS INTEGER)",
      [account.seq, mostEndpoints],
    ),
    insertRow(webhookEndpoints, endpoint),
  ]).catch((error) => {
    throw isGuard(error) ? tooMany() : error;
  });
  return { endpoint, secret };
}

/** Disabling cancels the pending deliveries; enabling starts with the next event. */
export async function editEndpoint(ctx: Ctx, id: string, changes: EndpointChanges): Promise<WebhookEndpoint> {
  const { url, description, event_types, payload, is_enabled } = changes;
  const endpoint = await getEndpoint(ctx, id);
  if (url !== undefined) requirePublicUrl(ctx, url);
  const isSwitched = is_enabled !== undefined && is_enabled !== (endpoint.is_enabled === 1);
  return changeEndpoint(
    ctx,
    id,
    {
      ...(url === undefined || url === endpoint.url ? {} : { url, ...madeBy(ctx) }),
      ...(description === undefined ? {} : { description }),
      ...(event_types === undefined ? {} : { event_types: JSON.stringify(event_types) }),
      ...(payload === undefined ? {} : { payload }),
      ...(isSwitched ? switchColumns(is_enabled) : {}),
    },
    isSwitched && !is_enabled ? [updateCancelledDeliveries(ctx, id)] : [],
  );
}

/** Makes a new secret; the previous one also signs for another day. */
export async function rotateSecret(ctx: Ctx, id: string): Promise<WithSecret> {
  const endpoint = await getEndpoint(ctx, id);
  const { secret, sealedSecret } = await newSecret(ctx, endpoint);
  const rotated = { ...rotateColumns(ctx, endpoint, sealedSecret), ...madeBy(ctx) };
  return { endpoint: await changeEndpoint(ctx, id, rotated), secret };
}

/** Deletes softly, erases the secrets, and cancels the pending deliveries. */
export async function removeEndpoint(ctx: Ctx, id: string): Promise<void> {
  await getEndpoint(ctx, id);
  const gone = { ...switchColumns(false), secret: "", previous_secret: null, deleted_at: ctx.realNow };
  await changeEndpoint(ctx, id, gone, [updateCancelledDeliveries(ctx, id)]);
}

/** Cancels the pending deliveries of an endpoint, if `condition` holds. Unary plus: by the key all of the account's would be read. */
export function updateCancelledDeliveries({ account }: Ctx, endpointId: string, condition?: SQL): Statement {
  return statement(
    build
      .update(eventDeliveries)
      .set({ status: "CANCELLED", next_attempt_at: null, lease_until: null })
      .where(
        and(
          sql`+${eventDeliveries.account_seq} = ${account.seq}`,
          eq(eventDeliveries.endpoint_id, endpointId),
          sql`${eventDeliveries.status} = 'PENDING'`,
          condition,
        ),
      ),
  );
}

/** Whoever leads an endpoint elsewhere, or is shown its secret, could as well have made it. */
function madeBy({ keyId }: Ctx) {
  return { made_by_key: keyId ?? null };
}

/** The most endpoints of an account: each adds a row to every event. */
const mostEndpoints = 20;

type WithSecret = { endpoint: WebhookEndpoint; secret: string };

function requirePublicUrl(ctx: Ctx, url: string): void {
  const fault = findUrlFault(ctx, url);
  if (fault !== undefined) throw invalid([{ path: "url", message: fault }]);
}

function switchColumns(on: boolean) {
  const fresh = { failing_since: null, recovering: null };
  return on
    ? { ...fresh, is_enabled: 1 as const, disabled_reason: null }
    : { recovering: null, is_enabled: 0 as const, disabled_reason: "by_hand" as const };
}

function changeEndpoint(
  ctx: Ctx,
  id: string,
  values: Partial<WebhookEndpoint>,
  also: Statement[] = [],
): Promise<WebhookEndpoint> {
  const set = { ...values, updated_at: ctx.realNow };
  return changeLiving(ctx, { table: webhookEndpoints, name: "Webhook endpoint", key: { id }, set, also });
}

function tooMany(): DomainError {
  return new DomainError("INVALID_STATE", `An account has at most ${mostEndpoints} webhook endpoints`);
}
