import type { z } from "@hono/zod-openapi";
import type { Ctx } from "../../context.ts";
import { requireDeliverySlot } from "../../delivery/queries.ts";
import { DomainError, invalid } from "../../errors.ts";
import { timesWithin } from "../../lib/intervals.ts";
import { findAddress } from "../../profiles/queries.ts";
import { addressOf } from "../address.ts";
import { datesOf } from "../cadence.ts";
import { endOfWait, requireAllowed, requireNotBilling } from "../lifecycle.ts";
import type { SubscriptionView } from "../queries.ts";
import type { AddressChange, FrequencyChange, ScheduleChange } from "../requests.ts";
import { deliveryDateIn, goingOnFrom, requireOnSlotDay, todayOf } from "../schedule.ts";
import type { Subscription } from "../tables.ts";
import { type Decision, perform } from "./perform.ts";

/** Sets billing and delivery interval (billing only where they differ); the next dates stay, later ones follow. */
export const changeFrequency = (
  ctx: Ctx,
  id: string,
  dryRun: boolean,
  { interval, interval_count }: z.output<typeof FrequencyChange>,
): Promise<SubscriptionView> =>
  perform(ctx, id, dryRun, ({ row }) => {
    requireAllowed("change", row, "change the frequency");
    const together =
      row.billing_interval === row.delivery_interval &&
      row.billing_interval_count === row.delivery_interval_count;
    const asked = { billing_interval: interval, billing_interval_count: interval_count };
    if (row.billing_interval === interval && row.billing_interval_count === interval_count) return undefined;
    if (!together) return { action: "frequency_changed", after: prepaidFrequency(row, asked) };
    return {
      action: "frequency_changed",
      after: {
        ...asked,
        delivery_interval: interval,
        delivery_interval_count: interval_count,
        ...(row.next_delivery_date === null
          ? {}
          : { anchor_date: row.next_delivery_date, next_index: 0, next_billed_index: 0 }),
      },
    };
  });

/** Billing may still cover only whole deliveries. */
const prepaidFrequency = (
  row: Subscription,
  asked: Pick<Subscription, "billing_interval" | "billing_interval_count">,
) => {
  const times = timesWithin(
    { unit: asked.billing_interval, count: asked.billing_interval_count },
    { unit: row.delivery_interval, count: row.delivery_interval_count },
  );
  if (times !== undefined) return asked;
  throw invalid([{ path: "interval", message: "must be a whole multiple of the delivery interval" }]);
};

/** Moves the next delivery, to another date, another slot or both; the schedule goes on from there. */
export const reschedule = (
  ctx: Ctx,
  id: string,
  dryRun: boolean,
  { next_delivery_date, delivery_slot_id }: z.output<typeof ScheduleChange>,
): Promise<SubscriptionView> =>
  perform(ctx, id, dryRun, async ({ row, place: current }): Promise<Decision> => {
    const place =
      delivery_slot_id === undefined
        ? current
        : delivery_slot_id === null
          ? undefined
          : await requireDeliverySlot(ctx, delivery_slot_id);
    const date =
      next_delivery_date === undefined ? undefined : deliveryDateIn(ctx, next_delivery_date, place);
    requireAllowed("change", row, "reschedule");
    requireNotBilling("reschedule", row);
    const slot = { delivery_slot_id: place?.slot.id ?? null };
    const shown = { place };
    if (date !== undefined && date !== row.next_delivery_date)
      return {
        action: "delivery_rescheduled",
        after: { ...endOfWait(row), ...slot, ...goingOnFrom(row, date, place, todayOf(ctx)) },
        shown,
      };
    if (delivery_slot_id === undefined || row.next_delivery_date === null)
      return { action: "delivery_rescheduled", after: {} };
    requireOnSlotDay(row.next_delivery_date, place, "delivery_slot_id");
    const { production, billing } = datesOf(row.next_delivery_date, place?.day, todayOf(ctx));
    const billed = row.next_billed_index === row.next_index ? { next_billing_date: billing } : {};
    return {
      action: "delivery_rescheduled",
      after: { ...slot, next_production_date: production, ...billed },
      shown,
    };
  });

const unknownAddress = () =>
  new DomainError("UNKNOWN_DELIVERY_ADDRESS", "The profile has no such delivery address", [
    { path: "delivery_address_id", message: "is not known" },
  ]);

/** The address a body names or is. Throws UNKNOWN_DELIVERY_ADDRESS. */
const askedAddress = async (
  ctx: Ctx,
  profileId: string,
  body: z.output<typeof AddressChange>,
): Promise<string> => {
  if (!("delivery_address_id" in body)) return addressOf(body);
  const kept = await findAddress(ctx, profileId, body.delivery_address_id);
  if (!kept) throw unknownAddress();
  return addressOf(kept);
};

export const changeAddress = (
  ctx: Ctx,
  id: string,
  dryRun: boolean,
  body: z.output<typeof AddressChange>,
): Promise<SubscriptionView> =>
  perform(ctx, id, dryRun, async ({ row }) => {
    const delivery_address = await askedAddress(ctx, row.profile_id, body);
    requireAllowed("change", row, "change the delivery address");
    return { action: "delivery_address_changed", after: { delivery_address } };
  });
