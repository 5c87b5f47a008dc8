import type { z } from "@hono/zod-openapi";
import type { Ctx } from "../../context.ts";
import { type PlacedSlot, requireDeliverySlot } from "../../delivery/queries.ts";
import { DomainError, invalid } from "../../errors.ts";
import { later, parseDate } from "../../lib/dates.ts";
import { sha256Hex } from "../../lib/encoding.ts";
import { type Decision, perform } from "../../subscriptions/actions/perform.ts";
import { datesOf } from "../../subscriptions/cadence.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import { dateFrom, deliveryDateIn, earliestDelivery, todayOf } from "../../subscriptions/schedule.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import type { Delivery } from "../frozen.ts";
import { findAttempt, listRequested } from "../queries.ts";
import type { ShipNowRequest } from "../requests.ts";
import type { BillingAttempt } from "../tables.ts";
import { requireBillable, sendCharges, startAttempt } from "./start.ts";

type Request = z.output<typeof ShipNowRequest>;

/** DECISIONS §6, by real time. */
const hourMs = 3_600_000;
const repeatMs = 10 * 60_000;
const mostAnHour = 5;

/** Refuses the sixth new attempt within an hour; repetitions and refusals do not count. Throws RATE_LIMITED. */
export const requireFewer = async (
  ctx: Ctx,
  row: Subscription,
  origin: "SHIP_NOW" | "RETRY",
): Promise<void> => {
  const recent = await listRequested(ctx, row.id, origin, later(ctx.realNow, -hourMs));
  const fifth = recent[mostAnHour - 1];
  if (!fifth) return;
  const retryAfter = Math.ceil((Date.parse(fifth.requested_at) + hourMs - Date.parse(ctx.realNow)) / 1000);
  const message = `At most ${mostAnHour} new attempts an hour are made this way`;
  throw new DomainError("RATE_LIMITED", message, undefined, retryAfter);
};

/** The same fields, the same wish; also for a date that is told as a date-time. */
const hashOf = ({ account }: Ctx, { delivery_date, slot_id, production_date }: Request): Promise<string> => {
  const dayOf = (text: string | undefined) => (text === undefined ? null : parseDate(text, account.timezone));
  return sha256Hex(JSON.stringify([dayOf(delivery_date), slot_id ?? null, dayOf(production_date)]));
};

/** When and where the order goes: what the body says, checked as on creation; else the earliest that can be made. */
const deliveryOf = async (ctx: Ctx, request: Request, current: PlacedSlot | undefined): Promise<Delivery> => {
  const { slot_id, delivery_date: asked, production_date: packed } = request;
  const today = todayOf(ctx);
  if (asked !== undefined) dateFrom(ctx, asked, today, "delivery_date");
  const producedOn = packed === undefined ? undefined : dateFrom(ctx, packed, today, "production_date");
  const place = slot_id === undefined ? current : await requireDeliverySlot(ctx, slot_id, "slot_id");
  const delivery_date =
    asked === undefined
      ? earliestDelivery(place, producedOn ?? today)
      : deliveryDateIn(ctx, asked, place, "delivery_date");
  if (producedOn !== undefined && producedOn > delivery_date)
    throw invalid([{ path: "production_date", message: "must not be after the delivery date" }]);
  return {
    delivery_date,
    production_date: producedOn ?? datesOf(delivery_date, place?.day, today).production,
    delivery_slot_id: place?.slot.id ?? null,
    isOffSchedule: true,
  };
};

/** The attempt that a request asks for once more: the one in progress, or the last one of ten minutes without a new key. */
const repeatedOf = async (
  ctx: Ctx,
  row: Subscription,
  requestHash: string,
): Promise<BillingAttempt | undefined> => {
  if (row.open_attempt_id !== null) {
    const open = await findAttempt(ctx, row.open_attempt_id);
    if (open?.origin === "SHIP_NOW" && open.request_hash === requestHash) return open;
    throw new DomainError(
      "BILLING_IN_PROGRESS",
      "Another billing attempt of this subscription is in progress",
    );
  }
  if (ctx.claim) return undefined;
  const [last] = (await listRequested(ctx, row.id, "SHIP_NOW", later(ctx.realNow, -repeatMs))).filter(
    ({ status, activation }) => status !== "CANCELLED" && activation === row.activation,
  );
  return last?.request_hash === requestHash ? last : undefined;
};

/**
 * Bills and ships the current cycle at once (INTERFACE, DECISIONS §6): answers the attempt, new or asked for again;
 * none for a dry run. Throws NOT_BILLABLE, BILLING_IN_PROGRESS, RATE_LIMITED.
 */
export const shipNow = async (
  ctx: Ctx,
  id: string,
  dryRun: boolean,
  request: Request,
): Promise<BillingAttempt | undefined> => {
  const requestHash = await hashOf(ctx, request);
  let started: BillingAttempt | undefined;
  let repeated: BillingAttempt | undefined;
  const choose = async (view: SubscriptionView): Promise<Decision | undefined> => {
    [started, repeated] = [undefined, undefined];
    const delivery = await deliveryOf(ctx, request, view.place);
    const row = requireBillable(view.row);
    repeated = await repeatedOf(ctx, row, requestHash);
    if (repeated) return undefined;
    await requireFewer(ctx, row, "SHIP_NOW");
    await ctx.store.requireConnection?.();
    const { attempt, after, writes, told } = await startAttempt(ctx, view, {
      origin: "SHIP_NOW",
      delivery,
      requestHash,
    });
    started = attempt;
    return { ...told, after, writes };
  };
  await perform(ctx, id, dryRun, choose, 20);
  if (started && !dryRun) await sendCharges(ctx, [started.id]);
  return dryRun ? undefined : (repeated ?? started);
};
