import { and, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import { rowsAsJson } from "../../base/db/bulk.ts";
import type { AccountSeq } from "../../base/db/columns.ts";
import { countedBy, facet, narrowBy, uniqueBy } from "../../base/db/filters.ts";
import { listReader } from "../../base/db/list/listing.ts";
import { searchOwn } from "../../base/db/list/search.ts";
import type { Statement } from "../../base/db/port.ts";
import { selectLivingBy } from "../../base/db/row-reads.ts";
import { build, columnsEqual, first, type Params, prepare, read, rows } from "../../base/db/statement.ts";
import { DomainError, notFound } from "../../base/errors.ts";
import { isId } from "../../base/lib/ids.ts";
import type { Ctx } from "../../kit/context.ts";
import { plainId } from "../../stores/ids.ts";
import { erasedEmail } from "./rules.ts";
import { type DeliveryAddress, deliveryAddresses, type Profile, profileCounts, profiles } from "./tables.ts";

/** The columns of a profile in responses, by name. */
export const profileColumns = {
  id: profiles.id,
  email: profiles.email,
  first_name: profiles.first_name,
  last_name: profiles.last_name,
  phone_number: profiles.phone_number,
  external_id: profiles.external_id,
  store_customer_id: profiles.store_customer_id,
  email_status: profiles.email_status,
  sms_status: profiles.sms_status,
  timezone: profiles.timezone,
  locale: profiles.locale,
  address1: profiles.address1,
  address2: profiles.address2,
  city: profiles.city,
  region: profiles.region,
  country: profiles.country,
  country_code: profiles.country_code,
  postal_code: profiles.postal_code,
  created_at: profiles.created_at,
  updated_at: profiles.updated_at,
};

export async function findProfile({ db, account }: Ctx, id: string): Promise<Profile | undefined> {
  return isId(id) ? first(db, selectById({ account_seq: account.seq, id })) : undefined;
}

export async function getProfile(ctx: Ctx, id: string): Promise<Profile> {
  const profile = await findProfile(ctx, id);
  if (!profile) throw notFound("Profile");
  return profile;
}

/** Whether the personal data of a profile's customer has been erased on request. */
export async function isErased(ctx: Ctx, id: string): Promise<boolean> {
  return (
    (await first(ctx.db, selectWithEmail({ account_seq: ctx.account.seq, id, email: erasedEmail(id) }))) !==
    undefined
  );
}

/** The profile that a body refers to. Throws UNKNOWN_PROFILE if it is unknown or deleted. */
export async function requireProfile(ctx: Ctx, id: string): Promise<Profile> {
  return requireFoundProfile(await findProfile(ctx, id));
}

/** A profile that is not deleted, to be read in one trip with others. */
export function selectProfile({ account }: Ctx, id: string): Statement<Profile> {
  return selectById({ account_seq: account.seq, id });
}

/** The profile that was read. Throws UNKNOWN_PROFILE if there is none. */
export function requireFoundProfile(profile: Profile | undefined): Profile {
  if (profile) return profile;
  throw new DomainError("UNKNOWN_PROFILE", "The account has no such profile", [
    { path: "profile_id", message: "is not known" },
  ]);
}

/** The profiles with these folded e-mails that are not deleted, by folded e-mail. */
export async function findProfilesByEmail(ctx: Ctx, emails: string[]): Promise<Map<string, Profile>> {
  const parameters = rowsAsJson(
    ["email"],
    emails.map((email) => ({ email })),
  );
  const statements = parameters.map((list) =>
    selectActiveByEmails({ account_seq: ctx.account.seq, emails: list }),
  );
  const found: Profile[][] = await read<Profile[]>(ctx.db, statements);
  return new Map(found.flat().map((profile) => [profile.email_folded, profile]));
}

/** The profiles of a store's customer that are not deleted, oldest first. The id may have any of its forms. */
export function findProfilesOfCustomer(ctx: Ctx, storeCustomerId: string): Promise<Profile[]> {
  return rows(
    ctx.db,
    selectActiveOfCustomer({
      account_seq: ctx.account.seq,
      store_customer_id: plainId("Customer", storeCustomerId),
    }),
  );
}

/** The oldest profile that is not deleted of each of these customers of the store, by their plain ids. */
export async function findProfilesOfCustomers(ctx: Ctx, ids: string[]): Promise<Map<string, Profile>> {
  const statements = rowsAsJson(
    ["id"],
    ids.map((id) => ({ id })),
  ).map((list) => selectActiveOfCustomers({ account_seq: ctx.account.seq, ids: list }));
  const found: Profile[][] = await read<Profile[]>(ctx.db, statements);
  const oldestLast = found.flat().toSorted((a, b) => b.seq - a.seq);
  return new Map(oldestLast.map((profile) => [profile.store_customer_id!, profile]));
}

/** The address that a request names, to be read in one trip with others; nothing where it names none. */
export function selectNamedAddress(
  { account }: Ctx,
  id: string | null | undefined,
): Statement<DeliveryAddress>[] {
  return id === undefined || id === null ? [] : [selectAddress({ account_seq: account.seq, id })];
}

/** The profile's own address that a request names, of what `selectNamedAddress` finds. Throws UNKNOWN_DELIVERY_ADDRESS. */
export function requireAddress(profileId: string, [address]: DeliveryAddress[] = []): DeliveryAddress {
  if (address?.profile_id === profileId) return address;
  throw new DomainError("UNKNOWN_DELIVERY_ADDRESS", "The profile has no such delivery address", [
    { path: "delivery_address_id", message: "is not known" },
  ]);
}

export async function getAddress(ctx: Ctx, profileId: string, id: string): Promise<DeliveryAddress> {
  const address = await first(ctx.db, selectAddress({ account_seq: ctx.account.seq, id }));
  if (address?.profile_id !== profileId) throw notFound("Delivery address");
  return address;
}

const selectById = selectLivingBy(profiles, "account_seq", "id");

const selectWithEmail = prepare((p: Params<{ account_seq: AccountSeq; id: string; email: string }>) =>
  build
    .select({ id: profiles.id })
    .from(profiles)
    .where(columnsEqual(profiles, p, "account_seq", "id", "email")),
);

/** The e-mails lead the join: each is one look-up in the index, however many profiles the account has. */
const selectActiveByEmails = prepare((p: Params<{ account_seq: AccountSeq; emails: string }>) =>
  build
    .select(getTableColumns(profiles))
    .from(sql`json_each(${p("emails")}) AS input`)
    .crossJoin(profiles)
    .where(
      and(
        eq(profiles.account_seq, p("account_seq")),
        sql`${profiles.email_folded} = input.value ->> 0`,
        isNull(profiles.deleted_at),
      ),
    ),
);

const selectActiveOfCustomer = prepare((p: Params<{ account_seq: AccountSeq; store_customer_id: string }>) =>
  build
    .select()
    .from(profiles)
    .where(and(columnsEqual(profiles, p, "account_seq", "store_customer_id"), isNull(profiles.deleted_at)))
    .orderBy(profiles.seq),
);

/** The customers lead the join, each by the index of customers. */
const selectActiveOfCustomers = prepare((p: Params<{ account_seq: AccountSeq; ids: string }>) =>
  build
    .select(getTableColumns(profiles))
    .from(sql`json_each(${p("ids")}) AS input`)
    .crossJoin(profiles)
    .where(
      and(
        eq(profiles.account_seq, p("account_seq")),
        sql`${profiles.store_customer_id} = input.value ->> 0`,
        isNull(profiles.deleted_at),
      ),
    ),
);

export const listProfiles = listReader({
  columns: profileColumns,
  table: profiles,
  scope: (p) => sql`${profiles.account_seq} = ${p("account_seq")} AND ${profiles.deleted_at} IS NULL`,
  tiebreaker: profiles.id,
  sorts: { created_at: profiles.created_at },
  filters: {
    email_folded: uniqueBy(profiles.email_folded, "email_folded"),
    email_status: facet(profiles.email_status, "email_status"),
    store_customer_id: narrowBy(profiles.store_customer_id, "store_customer_id"),
  },
  search: searchOwn({
    table: profiles,
    index: "profile_search",
    columns: "{search_identity search_other}",
    texts: [profiles.search_identity, profiles.search_other],
  }),
  totals: countedBy(profileCounts, profileCounts.account_seq, {
    email_status: facet(profileCounts.email_status, "email_status"),
  }),
});

/** The profiles between two ids, piece by piece. */
export const profilesInRange = listProfiles.range(profiles.id);

const selectAddress = selectLivingBy(deliveryAddresses, "account_seq", "id");

export const listAddresses = listReader({
  columns: getTableColumns(deliveryAddresses),
  table: deliveryAddresses,
  scope: (p) =>
    sql`${deliveryAddresses.account_seq} = ${p("account_seq")} AND ${deliveryAddresses.deleted_at} IS NULL`,
  tiebreaker: deliveryAddresses.id,
  sorts: { created_at: deliveryAddresses.created_at },
  filters: { profile_id: narrowBy(deliveryAddresses.profile_id, "profile_id") },
});
