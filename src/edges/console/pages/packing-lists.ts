import type { CalendarDate } from "../../../base/lib/time/dates.ts";

/** A list of orders that are paid for and not wholly sent. */
export type PackingList = {
  title: string;
  empty: string;
  /** The query of its pages' addresses. */
  address: string;
  /** The query of its orders of which so much was sent. */
  query: (fulfillment_status: "UNFULFILLED" | "PARTIALLY_FULFILLED") => Record<string, string>;
};

export type PackingListName = "pack" | "undated" | "waiting";

/** The packing lists: of a day, of a day those that are delivered then and have no day of packing, and of all days and none. */
export function packingLists(day: CalendarDate): Record<PackingListName, PackingList> {
  return {
    pack: {
      title: "To pack",
      empty: "There is nothing to pack on this day.",
      address: `list=pack&day=${day}`,
      query: paidFor({ production_date_from: day, production_date_to: day }),
    },
    undated: {
      title: "To pack, without a packing day",
      empty: "Everything that is delivered on this day has a packing day.",
      address: `list=undated&day=${day}`,
      query: paidFor({ delivery_date_from: day, delivery_date_to: day, has_production_date: "false" }),
    },
    waiting: {
      title: "All that wait to be sent",
      empty: "Everything that is paid for was sent.",
      address: "list=waiting",
      query: paidFor({ sort_by: "delivery_date", sort_order: "asc" }),
    },
  };
}

function paidFor(which: Record<string, string>): PackingList["query"] {
  return (fulfillment_status) => ({ ...which, status: "PAID,PARTIALLY_REFUNDED", fulfillment_status });
}
