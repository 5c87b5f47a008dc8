import { requirePermission } from "../../base/accounts/portal-settings.ts";
import { guard } from "../../base/db/guard.ts";
import type { Statement } from "../../base/db/port.ts";
import { retryOnConflict } from "../../base/db/retry-on-conflict.ts";
import { raw, rows } from "../../base/db/statement.ts";
import { DomainError, notFound } from "../../base/errors.ts";
import { type Instant, later } from "../../base/lib/time/dates.ts";
import { dayMs, secondMs } from "../../base/lib/time/durations.ts";
import { type Ctx, isRehearsed, keepCreated } from "../../kit/context.ts";
import { createRecord } from "../../kit/journal/write.ts";
import { StoreRefusalError, StoreThrottledError, UnknownOutcomeError } from "../../stores/port.ts";
import type { PaymentMethod } from "../payment-methods/tables.ts";
import { subjectOf } from "../subscriptions/actions/change-subscription.ts";
import { requireAllowed } from "../subscriptions/lifecycle.ts";
import type { ActivityEntry } from "../subscriptions/part.ts";
import { getSubscription, getSubscriptionAnd, type SubscriptionView } from "../subscriptions/queries.ts";
import { refreshScopes } from "./scopes.ts";

/** A request for the store's e-mail. */
type PaymentUpdate = { payment_method_id: string; requested_at: Instant };

/**
 * Has the store e-mail a customer a link by which they replace the payment method of a subscription. The store cannot tell a repeated
 * request from another one: the request is recorded and counted first, and the store asked once, whatever becomes of that.
 * Throws FORBIDDEN, INVALID_STATE where the store does not send it, RATE_LIMITED.
 */
export async function requestPaymentUpdate(ctx: Ctx, { id }: { id: string }): Promise<PaymentUpdate> {
  requirePermission(ctx, "can_change_payment_method");
  const request_id = ctx.newId();
  keepCreated(ctx, { paymentUpdate: request_id });
  const { view, method } = await retryOnConflict(async () => {
    const alongside = { recent: selectRequestsOfDay(ctx), refusals: selectRefusalsOfDay(ctx) };
    const [view, { recent, refusals }] = await getSubscriptionAnd(ctx, id, alongside);
    const method = requireMailable(ctx, view);
    if (refusals.some(({ payment_method_id }) => payment_method_id === method.id)) throw newRefusal();
    requireBelowLimit(ctx, recent);
    if (!isRehearsed(ctx)) await requireConnection(ctx);
    const metadata = { request_id, payment_method_id: method.id };
    await record(ctx, view, { action: requested, metadata }, [guardBelowLimit(ctx)]);
    return { view, method };
  });
  if (!isRehearsed(ctx)) await send(ctx, { view, method, request_id });
  return { payment_method_id: method.id, requested_at: ctx.now };
}

/** The answer to a request that was recorded before. */
export async function findPaymentUpdate(ctx: Ctx, request_id: string): Promise<PaymentUpdate> {
  const known = await rows(ctx.db, entriesOfRequest(ctx, request_id));
  const request = known.find(({ action }) => action === requested);
  if (!request) throw notFound("Request");
  if (known.some(({ action }) => action === refused)) throw newRefusal();
  const { payment_method_id, requested_at } = request;
  return { payment_method_id, requested_at };
}

const requested = "payment_update_requested";
const refused = "payment_update_refused";
/** The form that a person who looks for an e-mail needs. */
const perDay = 3;
const throttled = "THROTTLED";
const longestMessage = 500;
const what = "send a link to replace the payment method";

/** The payment method that the store can send a link for. */
function requireMailable({ store }: Ctx, { row, method }: SubscriptionView): PaymentMethod {
  requireAllowed("change", row, what);
  if (!store.canAskForPaymentMethod)
    throw new DomainError("INVALID_STATE", `Cannot ${what}: the store sends none`);
  if (!method) throw new DomainError("INVALID_STATE", `Cannot ${what}: the subscription has none`);
  if (method.status === "REVOKED") throw new DomainError("INVALID_STATE", `Cannot ${what}: it was revoked`);
  return method;
}

async function requireConnection({ store }: Ctx): Promise<void> {
  await store.requireConnection?.().catch((error) => {
    if (!(error instanceof UnknownOutcomeError)) throw error;
    throw new DomainError("INVALID_STATE", `Cannot ${what}: the store is not connected`);
  });
}

type Sent = { view: SubscriptionView; method: PaymentMethod; request_id: string };

/** Asks the store. Where it has not answered, nobody knows whether it sends the e-mail: it is not asked again. */
async function send(ctx: Ctx, sent: Sent): Promise<void> {
  const { method, view } = sent;
  try {
    await ctx.store.askForPaymentMethod?.(method.store_payment_method_id);
  } catch (error) {
    if (error instanceof StoreThrottledError)
      throw await recordRefusal(ctx, sent, { codes: [throttled], message: error.message });
    if (error instanceof StoreRefusalError) throw await recordRefusal(ctx, sent, error);
    if (!(error instanceof UnknownOutcomeError)) throw error;
    ctx.log("store_outcome_unknown", { subscription_id: view.row.id, cause: error.message });
  }
}

/** Records that the store sends nothing, and looks whether the app lacks a permission, so that nobody is offered it in vain. */
async function recordRefusal(
  ctx: Ctx,
  { view, method, request_id }: Sent,
  { message, codes }: Pick<StoreRefusalError, "message" | "codes">,
): Promise<DomainError> {
  const { claim: _, ...unclaimed } = ctx;
  const error_message = message.slice(0, longestMessage);
  const metadata = { request_id, payment_method_id: method.id, codes, error_message };
  ctx.log("store_refused", { alert: true, subscription_id: view.row.id, codes });
  await retryOnConflict(
    async () => record(unclaimed, await getSubscription(ctx, view.row.id), { action: refused, metadata }),
    recordTries,
  );
  await refreshScopes(ctx).catch((error) => ctx.log("store_scopes_unknown", { cause: String(error) }));
  return newRefusal();
}

/** The number of times that it is decided anew while others keep changing the subscription. */
const recordTries = 8;

/** An entry of the subscription, which it does not change. */
function record(ctx: Ctx, { row }: SubscriptionView, entry: ActivityEntry, writes: Statement[] = []) {
  return createRecord(ctx, [{ ...entry, subject: subjectOf(row) }], writes);
}

function newRefusal(): DomainError {
  return new DomainError("INVALID_STATE", `Cannot ${what}: the store has refused to`);
}

/** The customer's entries of the last day of real time. A test clock is never behind it. */
const ofDay = `FROM activity_logs INDEXED BY activity_logs_by_profile WHERE account_seq = ? AND profile_id = ?
  AND loggable_type IN ('subscription', 'order') AND created_ms > ? AND COALESCE(recorded_at, created_at) > ?`;

function dayOf({ account, actor, realNow }: Ctx) {
  const since = later(realNow, -dayMs);
  return [account.seq, actor.profile_id ?? "", Date.parse(since), since];
}

/** The latest requests of the customer, newest first, as many as there may be. */
function selectRequestsOfDay(ctx: Ctx): Statement<{ at: Instant }> {
  const sql = `SELECT COALESCE(recorded_at, created_at) AS at ${ofDay} AND action = ? ORDER BY created_ms DESC LIMIT ?`;
  return raw(sql, ...dayOf(ctx), requested, perDay);
}

/** The payment methods that the store has refused to send a link for, and would again: not for the moment alone, nor for want of a permission. */
function selectRefusalsOfDay(ctx: Ctx): Statement<{ payment_method_id: string }> {
  const sql = `SELECT metadata ->> 'payment_method_id' AS payment_method_id ${ofDay} AND action = ?
    AND COALESCE(metadata ->> '$.codes[0]', '') NOT IN ('${throttled}', 'ACCESS_DENIED') LIMIT ?`;
  return raw(sql, ...dayOf(ctx), refused, perDay);
}

function entriesOfRequest(ctx: Ctx, request_id: string) {
  const sql = `SELECT action, metadata ->> 'payment_method_id' AS payment_method_id, created_at AS requested_at ${ofDay}
    AND action IN (?, ?) AND metadata ->> 'request_id' = ?`;
  return raw<PaymentUpdate & { action: string }>(sql, ...dayOf(ctx), requested, refused, request_id);
}

function requireBelowLimit({ realNow }: Ctx, recent: { at: Instant }[]): void {
  const oldest = recent[perDay - 1];
  if (!oldest) return;
  const retryAfter = Math.ceil((Date.parse(oldest.at) + dayMs - Date.parse(realNow)) / secondMs);
  throw new DomainError(
    "RATE_LIMITED",
    `At most ${perDay} links a day can be asked for`,
    undefined,
    retryAfter,
  );
}

/** Counted within the batch too, so that requests at one time do not pass it together. */
function guardBelowLimit(ctx: Ctx): Statement {
  return guard(`(SELECT COUNT(*) ${ofDay} AND action = ?) >= CAST(? AS INTEGER)`, [
    ...dayOf(ctx),
    requested,
    perDay,
  ]);
}
