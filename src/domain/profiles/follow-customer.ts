import { and, eq } from "drizzle-orm";
import { ConstraintError, commit } from "../../base/db/commit.ts";
import { retryOnConflict } from "../../base/db/retry-on-conflict.ts";
import { build, statement } from "../../base/db/statement.ts";
import { sha256Hex } from "../../base/lib/encoding.ts";
import type { Ctx } from "../../kit/context.ts";
import { change } from "../../kit/journal/write.ts";
import type { StoreCustomer } from "../../stores/port.ts";
import { applyChanges } from "./actions.ts";
import { changedFields, profileEntry } from "./entries.ts";
import { getProfile } from "./queries.ts";
import { ProfileUpdate } from "./schemas.ts";
import { type Profile, profiles } from "./tables.ts";

/**
 * Takes over what has changed of a customer at the store since it was last asked; what was changed here alone stays. The first time only
 * empty fields are filled. An e-mail address that another profile has is left out, which is logged.
 */
export function followCustomer(ctx: Ctx, profileId: string, customer: StoreCustomer): Promise<void> {
  return retryOnConflict(async () => {
    const profile = await getProfile(ctx, profileId);
    const changes = await changesAtStore(ctx, profile, customer);
    try {
      await write(ctx, profile, changes);
    } catch (error) {
      if (!isEmailTaken(error)) throw error;
      ctx.log("customer_email_taken", { profile_id: profileId });
      await write(ctx, profile, { ...changes, fields: { ...changes.fields, email: profile.email } });
    }
  });
}

type Fields = Partial<Record<"email" | "first_name" | "last_name" | "phone_number", string>>;
type AtStore = { fields: Fields; store_seen: string };

/** The fields that follow the store, with what it has said of each. An address or name that no profile can have is left out. */
async function changesAtStore(ctx: Ctx, profile: Profile, customer: StoreCustomer): Promise<AtStore> {
  const seen: Record<string, string> = profile.store_seen === null ? {} : JSON.parse(profile.store_seen);
  const said = {
    email: customer.email,
    first_name: customer.first_name,
    last_name: customer.last_name,
    phone_number: customer.phone,
  };
  const fields: Fields = {};
  const now: Record<string, string> = {};
  for (const [name, value] of Object.entries(said)) {
    const field = name as keyof typeof said;
    const hash = await sha256Hex(`${ctx.account.id} ${profile.id} ${value ?? ""}`);
    now[field] = hash.slice(0, hashLength);
    const isNews = seen[field] === undefined ? !profile[field] : seen[field] !== now[field];
    if (value !== null && isNews && ProfileUpdate.safeParse({ [field]: value }).success)
      fields[field] = value;
  }
  return { fields, store_seen: JSON.stringify(now) };
}

/** Enough to see that a value is another. */
const hashLength = 16;

async function write(ctx: Ctx, profile: Profile, { fields, store_seen }: AtStore): Promise<void> {
  const changed = applyChanges(ctx, profile, fields);
  const names = changedFields(profile, changed);
  if (names.length > 0) {
    const { seq, id, account_seq, ...after } = { ...profile, ...changed, store_seen };
    await change(ctx, { ...profileEntry("profile_updated", profile, names), after });
  } else if (store_seen !== profile.store_seen) {
    const isProfile = and(eq(profiles.account_seq, ctx.account.seq), eq(profiles.id, profile.id));
    await commit({ db: ctx.db }, [statement(build.update(profiles).set({ store_seen }).where(isProfile))]);
  }
}

function isEmailTaken(error: unknown): boolean {
  return (
    error instanceof ConstraintError && error.kind === "unique" && error.on.includes("profiles.email_folded")
  );
}
