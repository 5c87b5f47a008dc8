import type { z } from "@hono/zod-openapi";
import { and, getTableColumns, inArray } from "drizzle-orm";
import { requirePermission } from "../../../base/accounts/portal-settings.ts";
import type { AccountSeq } from "../../../base/db/columns.ts";
import { build, columnsEqual, type Params, prepare, rows } from "../../../base/db/statement.ts";
import { readProvinces } from "../../../base/lib/places/provinces.ts";
import type { Ctx } from "../../../kit/context.ts";
import { deliverySlots } from "../../delivery/tables.ts";
import type { AddressUpdate } from "../../profiles/address-schemas.ts";
import { changeSavedAddress } from "../../profiles/addresses.ts";
import { presentAddress } from "../../profiles/present.ts";
import type { DeliveryAddress } from "../../profiles/tables.ts";
import { serializeAddress } from "../address/address.ts";
import { cutoffColumns, isItsSlot, requireBeforeCutoff } from "../bounds/cutoff.ts";
import { viewContext } from "../queries.ts";
import { subscriptions } from "../tables.ts";
import { prepareChange } from "./change-subscription.ts";

/**
 * Changes a saved address; where the request asks for it, also that of the living subscriptions which deliver to it as it was, all or none:
 * those that have an equal copy. Throws then what a change of a subscription's own address throws.
 */
export async function changeAddress(
  ctx: Ctx,
  saved: { profileId: string; id: string },
  { update_subscriptions, ...changes }: z.output<typeof AddressUpdate>,
) {
  if (!update_subscriptions) return { data: presentAddress(await changeSavedAddress(ctx, saved, changes)) };
  requirePermission(ctx, "can_change_address");
  let subscription_ids: string[] = [];
  const follow = async (before: DeliveryAddress, after: DeliveryAddress) => {
    const { ids, ...followers } = await followAddress(ctx, before, after);
    subscription_ids = ids;
    return followers;
  };
  const address = await changeSavedAddress(ctx, { ...saved, follow }, changes);
  return { data: presentAddress(address), subscription_ids };
}

async function followAddress(ctx: Ctx, before: DeliveryAddress, after: DeliveryAddress) {
  const provinces = await readProvinces();
  const scope = { account_seq: ctx.account.seq, profile_id: before.profile_id };
  const given = await rows(
    ctx.db,
    selectGivenAddress({ ...scope, delivery_address: serializeAddress(provinces, before) }),
  );
  const context = viewContext(ctx);
  requireBeforeCutoff(
    context,
    "change the delivery address",
    given.map((row) => ({ row, slot: row })),
  );
  const columns = { delivery_address: serializeAddress(provinces, after) };
  const changes = given.map(({ cutoff_days: _, cutoff_time: __, ...row }) =>
    prepareChange(
      ctx,
      { row, acceptedOffers: [], slot: undefined, ...context },
      { entry: { action: "delivery_address_changed" }, columns },
    ),
  );
  return {
    ids: given.map(({ id }) => id),
    statements: changes.flatMap(({ statements }) => statements),
    jobs: changes.flatMap(({ jobs }) => jobs),
  };
}

const selectGivenAddress = prepare(
  (p: Params<{ account_seq: AccountSeq; profile_id: string; delivery_address: string }>) =>
    build
      .select({
        ...getTableColumns(subscriptions),
        ...cutoffColumns,
      })
      .from(subscriptions)
      .leftJoin(deliverySlots, isItsSlot)
      .where(
        and(
          columnsEqual(subscriptions, p, "account_seq", "profile_id", "delivery_address"),
          inArray(subscriptions.status, ["ACTIVE", "PAUSED", "PAYMENT_FAILED"]),
        ),
      ),
);
