import { commit } from "../../base/db/commit.ts";
import { updateLiving } from "../../base/db/living.ts";
import { insertRow } from "../../base/db/row-writes.ts";
import { definedFields } from "../../base/lib/defined-fields.ts";
import type { Ctx } from "../../kit/context.ts";
import type { AddressChanges, NewAddress } from "./address-schemas.ts";
import { countryOfAddress, namesCountry } from "./country.ts";
import { getAddress, getProfile } from "./queries.ts";
import { type DeliveryAddress, deliveryAddresses } from "./tables.ts";

export async function createAddress(
  ctx: Ctx,
  profileId: string,
  input: NewAddress,
): Promise<DeliveryAddress> {
  const profile = await getProfile(ctx, profileId);
  const address: DeliveryAddress = {
    ...nullable,
    ...(definedFields(input) as NewAddress & typeof nullable),
    ...countryOfAddress(input),
    id: ctx.newId(),
    account_seq: ctx.account.seq,
    profile_id: profile.id,
    created_at: ctx.now,
    updated_at: ctx.now,
    deleted_at: null,
  };
  await commit(ctx, [insertRow(deliveryAddresses, address)]);
  return address;
}

export async function updateAddress(
  ctx: Ctx,
  profileId: string,
  id: string,
  changes: AddressChanges,
): Promise<DeliveryAddress> {
  const country = namesCountry(changes)
    ? countryOfAddress(changes, await getAddress(ctx, profileId, id))
    : {};
  return changeOwn(ctx, profileId, id, definedFields({ ...changes, ...country }) as Partial<DeliveryAddress>);
}

/** Marks an address as deleted. Subscriptions that deliver to it keep their copy. */
export function deleteAddress(ctx: Ctx, profileId: string, id: string): Promise<DeliveryAddress> {
  return changeOwn(ctx, profileId, id, { deleted_at: ctx.now });
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

/** Changes an address of a profile that is not deleted either. */
async function changeOwn(
  ctx: Ctx,
  profileId: string,
  id: string,
  set: Partial<DeliveryAddress>,
): Promise<DeliveryAddress> {
  const { id: profile_id } = await getProfile(ctx, profileId);
  return updateLiving(ctx, {
    table: deliveryAddresses,
    name: "Delivery address",
    key: { profile_id, id },
    set,
  });
}
