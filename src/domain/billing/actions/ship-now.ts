import type { z } from "@hono/zod-openapi";
import { DomainError, invalid } from "../../../base/errors.ts";
import { sha256Hex } from "../../../base/lib/encoding.ts";
import { later, parseDate } from "../../../base/lib/time/dates.ts";
import { minuteMs } from "../../../base/lib/time/durations.ts";
import type { Ctx } from "../../../kit/context.ts";
import { requireFrom } from "../../../kit/days.ts";
import { requireDeliverySlot, type SlotRow, selectNamedSlot } from "../../delivery/queries.ts";
import { type CommandWith, changeSubscription } from "../../subscriptions/actions/change-subscription.ts";
import { requireBelowHourlyLimit, selectAttemptsOfHour } from "../../subscriptions/bounds/hourly-limit.ts";
import {
  calendarOf,
  earliestDelivery,
  packingDate,
  requireDeliverable,
  requireOpenDay,
} from "../../subscriptions/dates/index.ts";
import { type Part, withResult } from "../../subscriptions/part.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import { selectLatestAttempts, selectOpenOrLatestAttempt } from "../queries.ts";
import type { ShipNowRequest } from "../requests.ts";
import type { PlannedDelivery } from "../snapshot.ts";
import type { Billed, BillingAttempt } from "../tables.ts";
import { newlyBilled, requireBillable, startAttempt } from "./start.ts";

type Request = z.output<typeof ShipNowRequest>;

/**
 * Bills and ships the current cycle at once: returns the attempt, new or repeated; for a dry run the one that would be
 * started. Throws NOT_BILLABLE, BILLING_IN_PROGRESS, RATE_LIMITED.
 */
export async function shipNow(ctx: Ctx, { id, request }: CommandWith<Request>): Promise<Billed> {
  const dated = await readRequest(ctx, request);
  const { requestHash } = dated;
  const alongside = {
    latest: selectLatestAttempts(ctx, [id]),
    openOrLatest: selectOpenOrLatestAttempt(ctx, id),
    recent: selectAttemptsOfHour(ctx, id),
    slot: selectNamedSlot(ctx, request.slot_id),
  };
  const { result } = await changeSubscription(
    ctx,
    id,
    { alongside, needs: "can_ship_now", tries: 20 },
    async (view, { latest: [before], openOrLatest: [last], recent, slot }): Promise<Part<Billed>> => {
      const delivery = planDelivery(dated, slot, view);
      const row = requireBillable(ctx, view.row);
      const repeated = repeatedAttempt(ctx, { row, request, requestHash }, last);
      if (repeated) return { result: { attempt: repeated, isNew: false } };
      requireChargeable(ctx, row);
      requireBelowHourlyLimit(ctx, recent);
      await ctx.store.requireConnection?.();
      const start = await startAttempt(ctx, view, { origin: "SHIP_NOW", delivery, requestHash, before });
      return withResult(start, newlyBilled(ctx, view, start.result));
    },
  );
  return result as Billed;
}

/** Throws NOT_BILLABLE for an amount that the store charges nobody, as one below its minimum. */
function requireChargeable({ store }: Ctx, { total, currency_code }: Subscription): void {
  const why = store.whyNotChargeable?.(total, currency_code);
  if (why)
    throw new DomainError("NOT_BILLABLE", `Subscription is not billable: ${why.message}`, [
      { path: "total", message: why.message },
    ]);
}

/** A request to ship now is taken for a repetition for this long after an attempt, by real time and by the account's. */
const repeatMs = 10 * minuteMs;

/**
 * The request with its days in the account's time zone, null for none and undefined for what is no date, and a hash: two requests with the same
 * fields are the same request, whether a day is sent as a date or as a date-time.
 */
async function readRequest({ account }: Ctx, request: Request) {
  const dayOf = (text: string | undefined) => (text === undefined ? null : parseDate(text, account.timezone));
  const delivery_date = dayOf(request.delivery_date);
  const production_date = dayOf(request.production_date);
  const fields = [delivery_date, request.slot_id ?? null, production_date];
  const requestHash = await sha256Hex(JSON.stringify(request.allow_repeat ? [...fields, "again"] : fields));
  return { ...request, delivery_date, production_date, requestHash };
}

type Dated = Awaited<ReturnType<typeof readRequest>>;

/** The delivery that the body asks for, checked as on creation; else the earliest that is possible. */
function planDelivery(
  { slot_id, delivery_date: asked, production_date: packed }: Dated,
  read: SlotRow[],
  view: SubscriptionView,
): PlannedDelivery {
  const { today } = view;
  const wished = asked === null ? undefined : requireFrom(asked, { today }, "delivery_date");
  const producedOn = packed === null ? undefined : requireFrom(packed, { today }, "production_date");
  const slot = slot_id === undefined ? view.slot : requireDeliverySlot(read, "slot_id");
  const calendar = calendarOf({ ...view, slot });
  if (producedOn !== undefined)
    requireOpenDay(producedOn, { calendar, kind: "production" }, "production_date");
  if (wished !== undefined) requireDeliverable(wished, calendar, "delivery_date");
  const delivery_date = wished ?? earliestDelivery(calendar, producedOn ?? today);
  if (producedOn !== undefined && producedOn > delivery_date)
    throw invalid([{ path: "production_date", message: "must not be after the delivery date" }]);
  return {
    delivery_date,
    production_date: producedOn ?? packingDate(calendar, delivery_date, today) ?? null,
    delivery_slot_id: slot?.id ?? null,
    isOffSchedule: true,
  };
}

function inProgress() {
  return new DomainError(
    "BILLING_IN_PROGRESS",
    "Another billing attempt of this subscription is in progress",
  );
}

function earlierLife() {
  return new DomainError(
    "BILLING_IN_PROGRESS",
    "A billing attempt from before the subscription was reactivated is still in progress",
  );
}

function differsFromLast() {
  return new DomainError(
    "BILLING_IN_PROGRESS",
    "Another ship-now was started within the last ten minutes; with allow_repeat the next cycle is billed as well",
  );
}

function isRecent({ now, realNow }: Ctx, { requested_at, created_at }: BillingAttempt): boolean {
  return later(requested_at, repeatMs) > realNow && later(created_at, repeatMs) > now;
}

type Asked = { row: Subscription; request: Request; requestHash: string };

/**
 * The attempt that answers a request instead of a new one: the one in progress, or the last of ten minutes, whatever its
 * trigger and Idempotency-Key. Throws BILLING_IN_PROGRESS if that attempt ships something else.
 */
function repeatedAttempt(
  ctx: Ctx,
  { row, request, requestHash }: Asked,
  last: BillingAttempt | undefined,
): BillingAttempt | undefined {
  if (!last) return undefined;
  if (last.activation !== row.activation) throw earlierLife();
  const isOpen = row.open_attempt_id !== null;
  const isSame = last.origin === "SHIP_NOW" && last.request_hash === requestHash;
  if (request.allow_repeat) {
    if (isOpen && !isSame) throw inProgress();
    return isOpen ? last : undefined;
  }
  if (!isOpen && !isRecent(ctx, last)) return undefined;
  if (last.origin === "SHIP_NOW" && !isSame) throw isOpen ? inProgress() : differsFromLast();
  return last;
}
