import { ConstraintError } from "../../base/db/commit.ts";
import { guard } from "../../base/db/guard.ts";
import type { Statement } from "../../base/db/port.ts";
import { retryOnConflict } from "../../base/db/retry-on-conflict.ts";
import { insertRow } from "../../base/db/row-writes.ts";
import { first } from "../../base/db/statement.ts";
import { DomainError } from "../../base/errors.ts";
import { definedFields } from "../../base/lib/defined-fields.ts";
import { type Ctx, isRehearsed, keepCreated } from "../../kit/context.ts";
import { change, createRecord } from "../../kit/journal/write.ts";
import { countryAfter } from "./country.ts";
import { changedFields, profileEntry } from "./entries.ts";
import { findProfilesByEmail, getProfile } from "./queries.ts";
import { deriveColumns, emptyProfile } from "./rules.ts";
import type { NewProfile, ProfileChanges } from "./schemas.ts";
import { type Profile, profiles } from "./tables.ts";

/** A profile as it is stored. The database assigns seq. */
export type ProfileValues = Omit<Profile, "seq">;

export function newProfile(ctx: Ctx, { created_at, updated_at, ...fields }: NewProfile): ProfileValues {
  const values = {
    ...emptyProfile,
    ...(definedFields(fields) as { email: string }),
    ...countryAfter(fields),
  };
  return {
    ...values,
    ...deriveColumns(values),
    id: ctx.newId(),
    account_seq: ctx.account.seq,
    revision: 1,
    created_at: created_at ?? ctx.now,
    updated_at: updated_at ?? created_at ?? ctx.now,
    deleted_at: null,
  };
}

type Changes = { [Field in keyof NewProfile]?: NewProfile[Field] | undefined };

export function applyChanges(ctx: Ctx, profile: ProfileValues, changes: Changes): ProfileValues {
  const { created_at, updated_at, ...fields } = changes;
  const values = {
    ...profile,
    ...(definedFields(fields) as Partial<Profile>),
    ...countryAfter(fields, profile),
  };
  return {
    ...values,
    ...deriveColumns(values),
    revision: profile.revision + 1,
    created_at: created_at ?? profile.created_at,
    updated_at: updated_at ?? ctx.now,
  };
}

export async function createProfile(ctx: Ctx, input: NewProfile): Promise<ProfileValues> {
  const profile = newProfile(ctx, input);
  keepCreated(ctx, { profile: profile.id });
  await requireFreeEmail(ctx, profile);
  try {
    await createRecord(ctx, [profileEntry("profile_created", profile)], [insertProfile(profile)]);
  } catch (error) {
    throw newEmailTakenError(error);
  }
  return profile;
}

export function insertProfile(profile: ProfileValues): Statement {
  return insertRow(profiles, profile);
}

/** Changes the fields that are named. If none of them differs, nothing is written and there is no event. */
export function changeProfile(ctx: Ctx, id: string, changes: ProfileChanges): Promise<ProfileValues> {
  return retryOnConflict(async () => {
    const profile = await getProfile(ctx, id);
    const changed = applyChanges(ctx, profile, changes);
    const fields = changedFields(profile, changed);
    if (fields.length === 0) return profile;
    if (changed.email_folded !== profile.email_folded) await requireFreeEmail(ctx, changed);
    const { seq, id: _id, account_seq, ...after } = { ...profile, ...changed };
    try {
      await change(ctx, { ...profileEntry("profile_updated", profile, fields), after });
    } catch (error) {
      throw newEmailTakenError(error);
    }
    return changed;
  });
}

/** Marks a profile as deleted. Refused (PROFILE_IN_USE) while one of its subscriptions can be billed, also a concurrent one. */
export function removeProfile(ctx: Ctx, id: string, writes: Statement[] = []): Promise<Profile> {
  return retryOnConflict(async () => {
    const profile = await getProfile(ctx, id);
    const unlessInUse = await requireNotInUse(ctx, id);
    const entry = { ...profileEntry("profile_deleted", profile), after: { deleted_at: ctx.now } };
    await change(ctx, entry, { writes: [unlessInUse, ...writes] });
    return profile;
  });
}

/** Throws PROFILE_IN_USE while a subscription of a profile can be billed; the statement fails its batch if one can be by then. */
export async function requireNotInUse(ctx: Ctx, id: string): Promise<Statement> {
  const params = [ctx.account.seq, id];
  if (await first(ctx.db, { sql: `SELECT 1 WHERE ${isInUse}`, params })) throw profileInUse();
  return guard(isInUse, params);
}

/** An index refuses it only once it is written: a rehearsal has to ask. Throws EMAIL_TAKEN. */
async function requireFreeEmail(ctx: Ctx, { email_folded }: ProfileValues): Promise<void> {
  if (isRehearsed(ctx) && (await findProfilesByEmail(ctx, [email_folded])).size > 0) throw emailTaken();
}

function newEmailTakenError(error: unknown): unknown {
  return error instanceof ConstraintError &&
    error.kind === "unique" &&
    error.on.includes("profiles.email_folded")
    ? emailTaken()
    : error;
}

function emailTaken(): DomainError {
  return new DomainError("EMAIL_TAKEN", "Another profile of the account has this e-mail address");
}

/** A guard is text. */
const isInUse = `EXISTS (SELECT 1 FROM subscriptions WHERE account_seq = ? AND profile_id = ?
  AND +status IN ('ACTIVE', 'PAUSED', 'PAYMENT_FAILED'))`;

function profileInUse(): DomainError {
  return new DomainError(
    "PROFILE_IN_USE",
    "The profile has subscriptions that are active, paused or awaiting payment",
  );
}
