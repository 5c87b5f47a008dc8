import { and, eq, isNull, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { ConstraintError, commit } from "../db/commit.ts";
import { decide, StaleError } from "../db/decide.ts";
import { build, statement } from "../db/statement.ts";
import { DomainError, notFound } from "../errors.ts";
import { definedFields } from "../lib/defined-fields.ts";
import { findProfile, getProfile } from "./queries.ts";
import { derived, emptyProfile } from "./rules.ts";
import type { NewProfile, ProfileChanges } from "./schemas.ts";
import { type Profile, profiles } from "./tables.ts";

/** A profile as it is stored. The database assigns seq. */
export type ProfileValues = Omit<Profile, "seq">;

export const newProfile = (ctx: Ctx, { created_at, updated_at, ...fields }: NewProfile): ProfileValues => {
  const values = { ...emptyProfile, ...(definedFields(fields) as { email: string }) };
  return {
    ...values,
    ...derived(values),
    id: ctx.newId(),
    account_id: ctx.account.id,
    revision: 1,
    created_at: created_at ?? ctx.now,
    updated_at: updated_at ?? created_at ?? ctx.now,
    deleted_at: null,
  };
};

type Changes = { [Field in keyof NewProfile]?: NewProfile[Field] | undefined };

export const changedProfile = (ctx: Ctx, profile: ProfileValues, changes: Changes): ProfileValues => {
  const { created_at, updated_at, ...fields } = changes;
  const values = { ...profile, ...(definedFields(fields) as Partial<Profile>) };
  return {
    ...values,
    ...derived(values),
    revision: profile.revision + 1,
    created_at: created_at ?? profile.created_at,
    updated_at: updated_at ?? ctx.now,
  };
};

const emailTaken = (error: unknown): unknown =>
  error instanceof ConstraintError && error.kind === "unique" && error.on.includes("profiles.email_folded")
    ? new DomainError("EMAIL_TAKEN", "Another profile of the account has this e-mail address")
    : error;

export const createProfile = async (ctx: Ctx, input: NewProfile): Promise<ProfileValues> => {
  const profile = newProfile(ctx, input);
  try {
    await commit(ctx, [statement(build.insert(profiles).values(profile))]);
  } catch (error) {
    throw emailTaken(error);
  }
  return profile;
};

const withId = (ctx: Ctx, id: string) =>
  and(eq(profiles.account_id, ctx.account.id), eq(profiles.id, id), isNull(profiles.deleted_at));

export const updateProfile = (ctx: Ctx, id: string, changes: ProfileChanges): Promise<ProfileValues> =>
  decide(async () => {
    const profile = await getProfile(ctx, id);
    const { seq, id: _id, account_id, ...values } = { ...profile, ...changedProfile(ctx, profile, changes) };
    try {
      const [updated] = await commit(ctx, [
        statement(
          build
            .update(profiles)
            .set(values)
            .where(and(withId(ctx, id), eq(profiles.revision, profile.revision)))
            .returning({ id: profiles.id }),
        ),
      ]);
      if (updated?.rows.length === 0) throw new StaleError();
    } catch (error) {
      throw emailTaken(error);
    }
    return { ...values, id, account_id };
  });

/** Marks a profile as deleted. The index by profile leads (`+status`), as those by status begin with all of the account. The same statement refuses (PROFILE_IN_USE) while one of its subscriptions can be billed. */
export const deleteProfile = async (ctx: Ctx, id: string): Promise<void> => {
  const unused = sql`NOT EXISTS (SELECT 1 FROM subscriptions WHERE account_id = ${ctx.account.id} AND profile_id = ${id}
    AND +status IN ('ACTIVE', 'PAUSED', 'PAYMENT_FAILED'))`;
  const [deleted] = await commit(ctx, [
    statement(
      build
        .update(profiles)
        .set({ deleted_at: ctx.now, revision: sql`${profiles.revision} + 1` })
        .where(and(withId(ctx, id), unused))
        .returning({ id: profiles.id }),
    ),
  ]);
  if (deleted?.rows.length === 1) return;
  if (!(await findProfile(ctx.db, ctx.account.id, id))) throw notFound("Profile");
  throw new DomainError(
    "PROFILE_IN_USE",
    "The profile has subscriptions that are active, paused or awaiting payment",
  );
};
