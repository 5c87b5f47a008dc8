import type { Account } from "../../../base/accounts/tables.ts";
import type { Provinces } from "../../../base/lib/places/provinces.ts";
import type { CalendarDate, Instant } from "../../../base/lib/time/dates.ts";
import type { SlotWithDay } from "../../delivery/queries.ts";
import type { SellingPlan } from "../../selling-plans/tables.ts";
import type { FieldReader } from "../field-reader.ts";
import type { ImportField } from "../fields.ts";

/** A reader of the values that the rows of a subscription share. */
export type SubscriptionReader = FieldReader<ImportField>;

/** The account's records that a row is planned with. */
export type Surroundings = {
  account: Account;
  now: Instant;
  newId: () => string;
  plans: SellingPlan[];
  slots: Map<string, SlotWithDay>;
  charge_from: CalendarDate;
  past_due: "bill" | "pause";
  /** Whether plans that the account lacks are made. */
  create_plans: boolean;
  source: string;
  provinces: Provinces;
};
