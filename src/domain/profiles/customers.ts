import { and, eq } from "drizzle-orm";
import { commit } from "../../base/db/commit.ts";
import { guard } from "../../base/db/guard.ts";
import type { Statement } from "../../base/db/port.ts";
import { build, statement } from "../../base/db/statement.ts";
import { emailKey } from "../../base/lib/email-address.ts";
import type { Ctx } from "../../kit/context.ts";
import { createRecord, entryStatement } from "../../kit/journal/write.ts";
import { insertProfile, newProfile } from "./actions.ts";
import { profileEntry } from "./entries.ts";
import { findProfilesByEmail, findProfilesOfCustomer, getProfile } from "./queries.ts";
import { deriveColumns } from "./rules.ts";
import { type Profile, profiles } from "./tables.ts";

/** A customer in the connected store. */
type Customer = {
  store_customer_id: string;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  phone: string | null;
};

/** Whether a profile has the customer's e-mail address, and no profile belongs to this customer yet. */
export async function belongsToCustomer(
  ctx: Ctx,
  profile: Profile,
  { store_customer_id, email }: Pick<Customer, "store_customer_id" | "email">,
): Promise<boolean> {
  return (
    profile.store_customer_id === null &&
    email !== null &&
    emailKey(email) === profile.email_folded &&
    (await findProfilesOfCustomer(ctx, store_customer_id)).length === 0
  );
}

/**
 * The profile without a customer whom the store does not have, as after the account was connected to another account there. Only a store
 * that says so is asked.
 */
export async function withoutGoneCustomer(ctx: Ctx, profile: Profile): Promise<Profile> {
  const { store_customer_id: known } = profile;
  if (known === null || !ctx.store.hasCustomer || (await ctx.store.hasCustomer(known))) return profile;
  return { ...profile, store_customer_id: null };
}

/** Links a profile to a customer of the store, or to none. Fails the batch if the profile has changed since it was read. */
export function linkStatements(ctx: Ctx, profile: Profile, store_customer_id: string | null): Statement[] {
  const { account_seq, id, revision } = profile;
  const { search_other } = deriveColumns({ ...profile, store_customer_id });
  const set = { store_customer_id, search_other, revision: revision + 1, updated_at: ctx.now };
  const isProfile = and(eq(profiles.account_seq, account_seq), eq(profiles.id, id));
  return [
    guard("NOT EXISTS (SELECT 1 FROM profiles WHERE account_seq = ? AND id = ? AND revision = ?)", [
      account_seq,
      id,
      revision,
    ]),
    entryStatement(ctx, profileEntry("profile_updated", profile, ["store_customer_id"])),
    statement(build.update(profiles).set(set).where(isProfile)),
  ];
}

/**
 * The profile of a store's customer: the one that is linked to them, else the one with their e-mail address, else a new one.
 * Undefined if their address is not valid in a profile, or belongs to the profile of another customer.
 */
export async function profileOfCustomer(ctx: Ctx, customer: Customer): Promise<Profile | undefined> {
  const { store_customer_id, email, first_name, last_name, phone: phone_number } = customer;
  const [known] = await findProfilesOfCustomer(ctx, store_customer_id);
  if (known) return known;
  const { ProfileCreate } = await import("./schemas.ts");
  const input = ProfileCreate.safeParse({ email, first_name, last_name, phone_number });
  if (!input.success) return undefined;
  const folded = emailKey(input.data.email);
  const same = (await findProfilesByEmail(ctx, [folded])).get(folded);
  if (!same) return getProfile(ctx, await createForCustomer(ctx, customer, input.data));
  if (same.store_customer_id !== null) return undefined;
  await commit(ctx, linkStatements(ctx, same, store_customer_id));
  return getProfile(ctx, same.id);
}

async function createForCustomer(
  ctx: Ctx,
  { store_customer_id }: Customer,
  input: Parameters<typeof newProfile>[1],
): Promise<string> {
  const values = { ...newProfile(ctx, input), store_customer_id };
  const profile = { ...values, ...deriveColumns(values) };
  await createRecord(ctx, [profileEntry("profile_created", profile)], [insertProfile(profile)]);
  return profile.id;
}
