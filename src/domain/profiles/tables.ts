import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { portalLocales } from "../../base/accounts/portal-settings.ts";
import { accountSeq, id, instant, stamps } from "../../base/db/columns.ts";

export const consentStatuses = ["subscribed", "unsubscribed", "suppressed"] as const;

export const profiles = sqliteTable("profiles", {
  seq: integer().primaryKey(),
  id: id(),
  account_seq: accountSeq(),
  revision: integer().notNull(),
  email: text().notNull(),
  /** The lower-case form, in which e-mails are unique and filtered. */
  email_folded: text().notNull(),
  first_name: text(),
  last_name: text(),
  title: text(),
  phone_number: text(),
  external_id: text(),
  store_customer_id: text(),
  email_status: text({ enum: consentStatuses }),
  sms_status: text({ enum: consentStatuses }),
  timezone: text(),
  address1: text(),
  address2: text(),
  city: text(),
  region: text(),
  country: text(),
  country_code: text(),
  postal_code: text(),
  ip: text(),
  search_identity: text().notNull(),
  search_other: text().notNull(),
  ...stamps,
  deleted_at: instant(),
  /** JSON: hashes of what the store last said of the customer, by field. */
  store_seen: text(),
  /** The language that the customer is written to in; null: the shop's. */
  locale: text({ enum: portalLocales }),
});

/** The number of profiles that are not deleted by email_status ('' for none). Triggers maintain it. */
export const profileCounts = sqliteTable(
  "profile_counts",
  { account_seq: accountSeq(), email_status: text().notNull(), count: integer().notNull() },
  (t) => [primaryKey({ columns: [t.account_seq, t.email_status] })],
);

export const deliveryAddresses = sqliteTable(
  "delivery_addresses",
  {
    id: id(),
    account_seq: accountSeq(),
    profile_id: text().notNull(),
    first_name: text(),
    last_name: text(),
    company: text(),
    address1: text().notNull(),
    address2: text(),
    city: text().notNull(),
    zip: text().notNull(),
    province: text(),
    province_code: text(),
    country: text().notNull(),
    country_code: text().notNull(),
    phone: text(),
    ...stamps,
    deleted_at: instant(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.id] })],
);

/** The staged pieces of an upload, until all of them are applied at once (upload.ts). Real time. */
export const profileUploads = sqliteTable(
  "profile_uploads",
  {
    id: id(),
    account_seq: accountSeq(),
    piece: integer().notNull(),
    rows: text().notNull(),
    created_at: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.id, t.piece] })],
);

export type DeliveryAddress = typeof deliveryAddresses.$inferSelect;

export type Profile = typeof profiles.$inferSelect;
