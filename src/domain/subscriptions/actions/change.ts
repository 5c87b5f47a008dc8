import type { z } from "@hono/zod-openapi";
import type { OfferedFrequency } from "../../../base/accounts/portal-settings.ts";
import { DomainError, invalid } from "../../../base/errors.ts";
import { readProvinces } from "../../../base/lib/places/provinces.ts";
import type { CalendarDate } from "../../../base/lib/time/dates.ts";
import { divideInterval, type Interval } from "../../../base/lib/time/intervals.ts";
import type { Ctx } from "../../../kit/context.ts";
import { dateFrom } from "../../../kit/days.ts";
import { requireDeliverySlot, type SlotWithDay, selectNamedSlot } from "../../delivery/queries.ts";
import { countryOfAddress } from "../../profiles/country.ts";
import { requireProvince } from "../../profiles/province.ts";
import { requireAddress, selectNamedAddress } from "../../profiles/queries.ts";
import { offeredFrequencies, selectFrequenciesOfPlans } from "../../selling-plans/queries.ts";
import { serializeAddress } from "../address/address.ts";
import {
  calendarOf,
  continueSchedule,
  datesInSlot,
  dayOfSingleMove,
  moveNextAlone,
  reanchorSchedule,
  requireDeliverable,
} from "../dates/index.ts";
import { endOfWait, requireAllowed, requireNotBilling } from "../lifecycle.ts";
import type { Part } from "../part.ts";
import type { SubscriptionView } from "../queries.ts";
import type { AddressChange, FrequencyChange, ScheduleChange } from "../requests.ts";
import type { Subscription } from "../tables.ts";
import { type CommandWith, changeSubscription } from "./change-subscription.ts";

/**
 * Sets how often it is billed, and how often it is delivered with it: a billing pays for as many deliveries as before.
 * The next dates stay; later ones follow the new interval. A companion offers the frequency itself. Throws FREQUENCY_NOT_OFFERED.
 */
export function changeFrequency(
  ctx: Ctx,
  { id, request: { interval, interval_count }, ...command }: CommandWith<z.output<typeof FrequencyChange>>,
): Promise<SubscriptionView> {
  const mayChoose = ctx.actor.type !== "customer" || command.companion !== undefined;
  const alongside = { ofPlans: mayChoose ? [] : selectFrequenciesOfPlans(ctx) };
  const options = { alongside, ...command, needs: "can_change_frequency" } as const;
  return changeSubscription(ctx, id, options, (view, { ofPlans }) => {
    const { row } = view;
    const intervals = {
      billing_interval: interval,
      billing_interval_count: interval_count,
      ...requireDeliveryInterval(row, { unit: interval, count: interval_count }),
    };
    requireAllowed("change", row, "change the frequency");
    if (row.billing_interval === interval && row.billing_interval_count === interval_count) return undefined;
    if (!mayChoose) requireOffered(ctx, { interval, interval_count }, ofPlans);
    const dates = reanchorSchedule({ row, intervals }, calendarOf(view));
    return { entry: { action: "frequency_changed" }, columns: { ...intervals, ...dates } };
  });
}

/** Moves the next delivery to another date, another slot or both. Later deliveries are counted from it, or keep their days. */
export function reschedule(
  ctx: Ctx,
  {
    id,
    revision,
    request: { next_delivery_date, delivery_slot_id, scope = "following" },
  }: CommandWith<z.output<typeof ScheduleChange>> & { revision?: number },
): Promise<SubscriptionView> {
  const path = next_delivery_date === undefined ? "delivery_slot_id" : "next_delivery_date";
  return changeSubscription(
    ctx,
    id,
    {
      alongside: { named: selectNamedSlot(ctx, delivery_slot_id) },
      revision,
      needs: "can_reschedule",
      beforeCutoff: "reschedule",
      takesPlace: { what: "reschedule", path },
      moves: path,
    },
    (view, { named }): Part => {
      const { row, slot: current, today } = view;
      requireAllowed("change", row, "reschedule");
      requireNotBilling("reschedule", row);
      const slot =
        delivery_slot_id === undefined
          ? current
          : delivery_slot_id === null
            ? undefined
            : requireDeliverySlot(named);
      if (scope === "this" && slot?.id !== current?.id)
        throw invalid([
          {
            path: "delivery_slot_id",
            message: "must be absent, or the subscription's own, with scope this",
          },
        ]);
      const date = next_delivery_date === undefined ? undefined : dateFrom(ctx, next_delivery_date, today);
      const chosen = { delivery_slot_id: slot?.id ?? null };
      const shown = { slot };
      const calendar = calendarOf({ ...view, slot });
      if (date !== undefined) requireDeliverable(date, calendar, path);
      if (date !== undefined && isAnotherDate(row, current, { date, scope })) {
        const dates =
          scope === "this"
            ? moveNextAlone(row, date, calendar)
            : continueSchedule(row, date, calendar, today);
        return {
          entry: { action: "delivery_rescheduled", metadata: { scope } },
          columns: { ...endOfWait(row), ...chosen, ...dates },
          shown,
        };
      }
      if (delivery_slot_id === undefined || row.next_delivery_date === null) return {};
      requireDeliverable(row.next_delivery_date, calendar, "delivery_slot_id");
      return {
        entry: { action: "delivery_rescheduled" },
        columns: { ...chosen, ...datesInSlot(row, row.next_delivery_date, calendar) },
        shown,
      };
    },
  );
}

/** Whether a date moves the next delivery, or, where that was moved there alone, those that follow. */
function isAnotherDate(
  row: Subscription,
  slot: SlotWithDay | undefined,
  { date, scope }: { date: CalendarDate; scope: "this" | "following" },
): boolean {
  if (date !== row.next_delivery_date) return true;
  return scope === "following" && dayOfSingleMove(row, slot) === date;
}

export async function changeAddress(
  ctx: Ctx,
  { id, request: body }: CommandWith<z.output<typeof AddressChange>>,
): Promise<SubscriptionView> {
  const provinces = await readProvinces();
  const alongside = {
    saved: "delivery_address_id" in body ? selectNamedAddress(ctx, body.delivery_address_id) : [],
  };
  return changeSubscription(
    ctx,
    id,
    { alongside, needs: "can_change_address", beforeCutoff: "change the delivery address" },
    ({ row }, { saved }) => {
      const address =
        "delivery_address_id" in body
          ? requireAddress(row.profile_id, saved)
          : { ...body, ...countryOfAddress(body) };
      requireProvince({ ...ctx, provinces }, address);
      const delivery_address = serializeAddress(provinces, address);
      requireAllowed("change", row, "change the delivery address");
      return { entry: { action: "delivery_address_changed" }, columns: { delivery_address } };
    },
  );
}

/** Customers choose among the merchant's frequencies, or among those of the active plans. Throws FREQUENCY_NOT_OFFERED. */
function requireOffered(
  ctx: Ctx,
  asked: OfferedFrequency,
  ofPlans: Parameters<typeof offeredFrequencies>[1],
): void {
  if (ctx.actor.type !== "customer") return;
  const offered = offeredFrequencies(ctx, ofPlans);
  const isAsked = (one: OfferedFrequency) =>
    one.interval === asked.interval && one.interval_count === asked.interval_count;
  if (offered.some(isAsked)) return;
  throw new DomainError("FREQUENCY_NOT_OFFERED", "The shop does not offer this frequency", [
    { path: "interval_count", message: "is not among the frequencies that the shop offers" },
  ]);
}

/** Divides the billing interval by the deliveries that one billing pays for. Throws FREQUENCY_NOT_OFFERED. */
function requireDeliveryInterval(
  { deliveries_per_billing }: Subscription,
  billing: Interval,
): Pick<Subscription, "delivery_interval" | "delivery_interval_count"> {
  const delivery = divideInterval(billing, deliveries_per_billing);
  if (delivery) return { delivery_interval: delivery.unit, delivery_interval_count: delivery.count };
  throw new DomainError(
    "FREQUENCY_NOT_OFFERED",
    `One billing pays for ${deliveries_per_billing} deliveries, which do not divide this interval`,
    [{ path: "interval_count", message: `must be divisible into ${deliveries_per_billing} equal intervals` }],
  );
}
