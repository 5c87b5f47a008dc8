import { getTableColumns, getTableName } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { columnsFromJson, rowsAsJson } from "../db/bulk.ts";
import type { Statement } from "../db/client.ts";
import { ConstraintError, commit } from "../db/commit.ts";
import { decide, guard, isGuard, StaleError } from "../db/decide.ts";
import { type ErrorDetail, invalid } from "../errors.ts";
import { fold } from "../lib/text.ts";
import { changedProfile, newProfile, type ProfileValues } from "./actions.ts";
import { findProfilesByEmail } from "./queries.ts";
import type { NewProfile } from "./schemas.ts";
import { profiles } from "./tables.ts";

const maxDetails = 100;

const columns = Object.keys(getTableColumns(profiles)).filter(
  (name) => name !== "seq",
) as (keyof ProfileValues)[];
/** The rest is the profile's identity; touching it would have every referring row looked up. */
const changeable = columns.filter(
  (name) => !["id", "account_id", "email_folded", "deleted_at"].includes(name),
);
const key = columns.indexOf("email_folded");
const revision = columns.indexOf("revision");

/** Rows come as one JSON array of arrays: ten thousand of them are a few statements, not ten thousand. */
const upsertSql = `INSERT INTO ${getTableName(profiles)} ${columnsFromJson(columns)} WHERE true
  ON CONFLICT (account_id, email_folded) WHERE deleted_at IS NULL
  DO UPDATE SET ${changeable.map((name) => `${name} = excluded.${name}`).join(", ")}`;

/** A row was decided on a revision one below its own; 0 where there was no profile. */
const movedSql = `EXISTS (SELECT 1 FROM json_each(?) AS given WHERE (given.value ->> ${revision}) - 1 <> COALESCE(
  (SELECT revision FROM profiles WHERE account_id = ? AND email_folded = given.value ->> ${key} AND deleted_at IS NULL), 0))`;

const refuseRepeated = (emails: string[]): void => {
  const seen = new Set<string>();
  const details: ErrorDetail[] = [];
  for (const [index, email] of emails.entries()) {
    if (seen.has(email))
      details.push({ path: `profiles.${index}.email`, message: "is in the upload more than once" });
    seen.add(email);
  }
  if (details.length > 0) throw invalid(details.slice(0, maxDetails));
};

const writes = (ctx: Ctx, values: ProfileValues[]): Statement[] =>
  rowsAsJson(columns, values).flatMap((rows) => [
    guard(movedSql, [rows, ctx.account.id]),
    { sql: upsertSql, params: [rows] },
  ]);

/**
 * Creates or changes profiles by e-mail, all or none, in one batch; a field that a row does not name is left alone.
 * Answers how many rows there were. Throws VALIDATION_FAILED by row, or VERSION_CONFLICT.
 */
export const uploadProfiles = async (ctx: Ctx, uploaded: NewProfile[]): Promise<number> => {
  const emails = uploaded.map(({ email }) => fold(email));
  refuseRepeated(emails);
  if (uploaded.length === 0) return 0;
  await decide(async () => {
    const existing = await findProfilesByEmail(ctx, emails);
    const values = uploaded.map((row, index) => {
      const profile = existing.get(emails[index] ?? "");
      if (!profile) return newProfile(ctx, row);
      const { seq, ...known } = profile;
      return changedProfile(ctx, known, row);
    });
    try {
      await commit(ctx, writes(ctx, values));
    } catch (error) {
      if (isGuard(error) || (error instanceof ConstraintError && error.kind === "unique"))
        throw new StaleError();
      throw error;
    }
  });
  return uploaded.length;
};
