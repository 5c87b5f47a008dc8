import { guard } from "../../base/db/guard.ts";
import type { Statement } from "../../base/db/port.ts";
import { retryOnConflict } from "../../base/db/retry-on-conflict.ts";
import { insertRow, updateLivingRows } from "../../base/db/row-writes.ts";
import { raw, readNamed } from "../../base/db/statement.ts";
import { DomainError, notFound } from "../../base/errors.ts";
import type { Job } from "../../base/job.ts";
import { definedFields } from "../../base/lib/defined-fields.ts";
import { diff } from "../../base/lib/diff.ts";
import { completeProvince, readProvinces } from "../../base/lib/places/provinces.ts";
import { type Ctx, keepCreated } from "../../kit/context.ts";
import { createRecord } from "../../kit/journal/write.ts";
import type { AddressChanges, NewAddress } from "./address-schemas.ts";
import { countryOfAddress, namesCountry } from "./country.ts";
import { profileEntry } from "./entries.ts";
import { requireProvince } from "./province.ts";
import { selectNamedAddress, selectProfile } from "./queries.ts";
import { type DeliveryAddress, deliveryAddresses, type Profile } from "./tables.ts";

/** Throws INVALID_STATE where the profile has as many as it may have, counted within the batch too. */
export function createAddress(ctx: Ctx, profileId: string, input: NewAddress): Promise<DeliveryAddress> {
  return retryOnConflict(async () => {
    const { owner, counted } = await readNamed(ctx.db, {
      owner: selectProfile(ctx, profileId),
      counted: raw<{ n: number }>(`SELECT COUNT(*) AS n ${livingOf}`, ctx.account.seq, profileId),
    });
    const [profile] = owner;
    if (!profile) throw notFound("Profile");
    if (counted[0]!.n >= mostAddresses) throw newTooManyError();
    const given = {
      ...nullable,
      ...(definedFields(input) as NewAddress & typeof nullable),
      ...countryOfAddress(input),
    };
    const provinces = await readProvinces();
    requireProvince({ ...ctx, provinces }, given);
    const address: DeliveryAddress = {
      ...given,
      ...completeProvince(provinces, given),
      id: ctx.newId(),
      account_seq: ctx.account.seq,
      profile_id: profile.id,
      created_at: ctx.now,
      updated_at: ctx.now,
      deleted_at: null,
    };
    keepCreated(ctx, { address: address.id });
    await createRecord(
      ctx,
      [entryOf(profile)],
      [guardBelowMost(ctx, profile.id), insertRow(deliveryAddresses, address)],
    );
    return address;
  });
}

/** Records that follow a change of an address, in its batch. */
type Followers = { statements: Statement[]; jobs: Job[] };
/** Decides what follows the change of an address, given it before and after. */
type Follow = (before: DeliveryAddress, after: DeliveryAddress) => Promise<Followers>;

/** If none of the fields that are named differs, nothing is written. A province that is named by one of its fields has the other with it. */
export async function changeSavedAddress(
  ctx: Ctx,
  { profileId, id, follow }: { profileId: string; id: string; follow?: Follow | undefined },
  changes: AddressChanges,
): Promise<DeliveryAddress> {
  const provinces = await readProvinces();
  return changeOwn(ctx, { profileId, id, follow }, (address) => {
    const set = {
      ...(definedFields(changes) as Partial<DeliveryAddress>),
      ...(namesCountry(changes) ? countryOfAddress(changes, address) : {}),
    };
    const { province, province_code } = changes;
    const isNamed = province !== undefined || province_code !== undefined;
    const whole = { ...address, ...set, ...(isNamed ? { province, province_code } : {}) };
    if (isNamed || namesCountry(changes)) requireProvince({ ...ctx, provinces }, whole);
    return { ...set, ...completeProvince(provinces, whole) };
  });
}

/** Marks an address as deleted. Subscriptions that deliver to it keep their copy. */
export function removeAddress(ctx: Ctx, profileId: string, id: string): Promise<DeliveryAddress> {
  return changeOwn(ctx, { profileId, id }, () => ({ deleted_at: ctx.now }));
}

const nullable = {
  first_name: null,
  last_name: null,
  company: null,
  address2: null,
  province: null,
  province_code: null,
  phone: null,
};

/** The most addresses of a profile: a page of the portal shows all of them. */
const mostAddresses = 50;

/** A guard is text, and so is what it counts. */
const livingOf = "FROM delivery_addresses WHERE account_seq = ? AND profile_id = ? AND deleted_at IS NULL";

function guardBelowMost({ account }: Ctx, profileId: string) {
  return guard(`(SELECT COUNT(*) ${livingOf}) >= CAST(? AS INTEGER)`, [
    account.seq,
    profileId,
    mostAddresses,
  ]);
}

function newTooManyError(): DomainError {
  return new DomainError("INVALID_STATE", `A profile has at most ${mostAddresses} delivery addresses`);
}

type Decide = (address: DeliveryAddress) => Partial<DeliveryAddress>;

/** Changes an address of a profile that is not deleted either, as it was read; else it is read and decided anew. */
async function changeOwn(
  ctx: Ctx,
  { profileId, id, follow }: { profileId: string; id: string; follow?: Follow | undefined },
  decideOn: Decide,
): Promise<DeliveryAddress> {
  const { changed, jobs } = await retryOnConflict(async () => {
    const { owner, found } = await readNamed(ctx.db, {
      owner: selectProfile(ctx, profileId),
      found: selectNamedAddress(ctx, id)[0]!,
    });
    const [[profile], [address]] = [owner, found];
    if (!profile) throw notFound("Profile");
    if (address?.profile_id !== profile.id) throw notFound("Delivery address");
    const set = decideOn(address);
    if (Object.keys(diff(address, set)).length === 0) return { changed: address, jobs: [] };
    const key = { account_seq: ctx.account.seq, id };
    const after = { updated_at: ctx.now, ...set };
    const changed = { ...address, ...after };
    const { statements = [], jobs = [] } = (await follow?.(address, changed)) ?? {};
    await createRecord(
      ctx,
      [entryOf(profile)],
      [isAsRead(address), updateLivingRows(deliveryAddresses, key, after), ...statements],
    );
    return { changed, jobs };
  }, follow && maxTries);
  if (jobs.length > 0) await ctx.send(jobs);
  return changed;
}

/** Others change the subscriptions of a customer, which follow, at the same time. */
const maxTries = 30;

/** Compares all that a request can change, as two changes may have one time. */
function isAsRead(address: DeliveryAddress) {
  const { account_seq, id, ...columns } = address;
  const names = Object.keys(columns) as (keyof typeof columns)[];
  const same = names.map((name) => `${name} IS ?`).join(" AND ");
  return guard(`NOT EXISTS (SELECT 1 FROM delivery_addresses WHERE account_seq = ? AND id = ? AND ${same})`, [
    account_seq,
    id,
    ...names.map((name) => columns[name]),
  ]);
}

/** The profile's history names no address, only that its addresses have changed. */
function entryOf(profile: Profile) {
  return profileEntry("profile_updated", profile, ["addresses"]);
}
