import { and, eq } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import type { Statement } from "../db/client.ts";
import { commit } from "../db/commit.ts";
import { guard } from "../db/decide.ts";
import { build, statement } from "../db/statement.ts";
import { created, entryStatement } from "../journal/write.ts";
import { fold } from "../lib/text.ts";
import { insertion, newProfile } from "./actions.ts";
import { profileEntry } from "./entries.ts";
import { findProfilesByEmail, findProfilesOfCustomer, getProfile } from "./queries.ts";
import { derived } from "./rules.ts";
import { ProfileCreate } from "./schemas.ts";
import { type Profile, profiles } from "./tables.ts";

/** A customer as the store knows them. */
type Customer = {
  store_customer_id: string;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  phone: string | null;
};

/** Whether a customer's e-mail address is a profile's, and no profile is this customer's yet. */
export const isCustomers = async (
  ctx: Ctx,
  profile: Profile,
  { store_customer_id, email }: Pick<Customer, "store_customer_id" | "email">,
): Promise<boolean> =>
  profile.store_customer_id === null &&
  email !== null &&
  fold(email) === profile.email_folded &&
  (await findProfilesOfCustomer(ctx, store_customer_id)).length === 0;

/** Notes which of the store's customers a profile is. Fails the batch where the profile has moved. */
export const customerNoted = (ctx: Ctx, profile: Profile, store_customer_id: string): Statement[] => {
  const { account_id, id, revision } = profile;
  const { search_other } = derived({ ...profile, store_customer_id });
  const set = { store_customer_id, search_other, revision: revision + 1, updated_at: ctx.now };
  const its = and(eq(profiles.account_id, account_id), eq(profiles.id, id));
  return [
    guard("NOT EXISTS (SELECT 1 FROM profiles WHERE account_id = ? AND id = ? AND revision = ?)", [
      account_id,
      id,
      revision,
    ]),
    entryStatement(ctx, profileEntry("profile_updated", profile, ["store_customer_id"])),
    statement(build.update(profiles).set(set).where(its)),
  ];
};

const made = async (
  ctx: Ctx,
  customer: Customer,
  input: Parameters<typeof newProfile>[1],
): Promise<string> => {
  const values = { ...newProfile(ctx, input), store_customer_id: customer.store_customer_id };
  const profile = { ...values, ...derived(values) };
  await created(ctx, [profileEntry("profile_created", profile)], [insertion(profile)]);
  return profile.id;
};

/**
 * The profile of a customer of the store's: the one that is known as theirs, else the one with their e-mail address, else a
 * new one. Undefined where they have no address that a profile could have, or another customer's profile has it.
 */
export const profileOfCustomer = async (ctx: Ctx, customer: Customer): Promise<Profile | undefined> => {
  const { store_customer_id, email, first_name, last_name, phone: phone_number } = customer;
  const [known] = await findProfilesOfCustomer(ctx, store_customer_id);
  if (known) return known;
  const input = ProfileCreate.safeParse({ email, first_name, last_name, phone_number });
  if (!input.success) return undefined;
  const folded = fold(input.data.email);
  const same = (await findProfilesByEmail(ctx, [folded])).get(folded);
  if (!same) return getProfile(ctx, await made(ctx, customer, input.data));
  if (same.store_customer_id !== null) return undefined;
  await commit(ctx, customerNoted(ctx, same, store_customer_id));
  return getProfile(ctx, same.id);
};
