import { nthDay } from "../accounts/calendar.ts";

/** The columns of a subscription from which follows what its schedule alone says. */
export type Scheduled = {
  anchor_date: string;
  anchor_day: number | null;
  delivery_interval: string;
  delivery_interval_count: number;
  next_index: number;
  next_billed_index: number;
  next_delivery_date: string | null;
  next_billing_date: string | null;
  scheduled_index: number | null;
  scheduled_delivery_date: string | null;
};

/** A subscription with the dates that its schedule gives it, before closed days move them. Not made for slots, in which charges have days of their own. */
export function bySchedule<Row extends Scheduled>(row: Row): Row {
  const { scheduled_index: index, scheduled_delivery_date: delivery } = row;
  const isOver = row.next_delivery_date === null;
  if (isOver || index === null || delivery === null) return row;
  const owed = row.next_billed_index - row.next_index;
  const grid = {
    anchor: row.anchor_date,
    anchorDay: row.anchor_day,
    unit: row.delivery_interval,
    count: row.delivery_interval_count,
  };
  const billing = owed === 0 ? delivery : nthDay(grid, index + owed);
  return {
    ...row,
    next_index: index,
    next_billed_index: index + owed,
    next_delivery_date: delivery,
    next_billing_date: row.next_billing_date === null ? null : billing,
  };
}
