import type { CalendarDate } from "../../../base/lib/time/dates.ts";
import type { EveryMail, OfOrder, OfSubscription } from "./facts.ts";
import type { View } from "./view.ts";

/** The names that a template may have in braces, each with its value; null where there is none. */
export type Placeholders<Facts> = Record<string, Placeholder<Facts>["value"]>;
type Placeholder<Facts> = { value(view: View, facts: Facts): string | null };

/** Those of every mail. */
export const everyPlaceholder = {
  first_name: (_, { first_name }) => nameOrNull(first_name),
  shop_name: ({ shop }) => shop,
  support_email: ({ support_email }) => support_email,
} satisfies Placeholders<EveryMail>;

/** Those of a mail about one subscription. */
export const subscriptionPlaceholders = {
  ...everyPlaceholder,
  number: (_, { number }) => number,
  product: ({ product }, { lines }) => product(lines),
  frequency: (view, { frequency }) => view.frequency(frequency),
  next_date: (view, { next_date }) => dayOrNull(view, next_date),
  amount: (view, facts) => view.amountOf(facts),
  manage_url: (_, { manage_url }) => manage_url,
} satisfies Placeholders<OfSubscription>;

/** Those of a mail about one order. */
export const orderPlaceholders = {
  ...subscriptionPlaceholders,
  order_number: (_, { order_number }) => order_number,
  delivery_date: (view, { delivery_date }) => dayOrNull(view, delivery_date),
  /** A mail that tells of a parcel has its own. */
  tracking_url: () => null,
} satisfies Placeholders<OfOrder>;

export function dayOrNull({ day }: View, date: CalendarDate | null): string | null {
  return date && day(date);
}

const nameLengthMax = 40;

/** A customer's name, unless it looks like an address: anybody can give a shop a name that mail programs would turn into a link. */
function nameOrNull(name: string | null): string | null {
  const isName = name !== null && name.length <= nameLengthMax && !/[/:@\\]|\.\S/.test(name);
  return isName ? name : null;
}
