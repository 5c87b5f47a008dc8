import { getTableColumns, getTableName } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { rowsAsJson } from "../db/bulk.ts";
import type { Db, Statement } from "../db/client.ts";
import { ConstraintError, commit } from "../db/commit.ts";
import { decide, guard, isGuard, StaleError } from "../db/decide.ts";
import { type ErrorDetail, invalid, maxDetails } from "../errors.ts";
import { fold } from "../lib/text.ts";
import { changedProfile, newProfile, type ProfileValues } from "./actions.ts";
import { findProfilesByEmail } from "./queries.ts";
import type { NewProfile } from "./schemas.ts";
import { profiles } from "./tables.ts";

/**
 * Creates or changes profiles by e-mail, all or none; a field that a row does not name is left alone. Rows are staged piece
 * by piece, so that few of them are in memory at once and others have their turn in between, then applied in one batch.
 * Answers how many rows there were. Throws VALIDATION_FAILED by row, or VERSION_CONFLICT.
 */
export const uploadProfiles = async (ctx: Ctx, uploaded: NewProfile[]): Promise<number> => {
  refuseRepeated(uploaded);
  if (uploaded.length > 0) await decide(() => stageAndApply(ctx, uploaded));
  return uploaded.length;
};

/** Removes what requests that died have staged, so much a tick. */
export const pruneUploads = (db: Db, now: Date): Promise<unknown> =>
  commit({ db }, [
    {
      sql: `DELETE FROM profile_uploads WHERE rowid IN
        (SELECT rowid FROM profile_uploads WHERE created_at < ? ORDER BY created_at LIMIT ?)`,
      params: [new Date(now.getTime() - hourMs).toISOString(), 100],
    },
  ]);

const hourMs = 3_600_000;

/** What is looked up, worked out and staged at once: so many rows, and so much text. */
const groupRows = 2_500;
const groupCharacters = 300_000;

const columns = Object.keys(getTableColumns(profiles)).filter(
  (name) => name !== "seq",
) as (keyof ProfileValues)[];
const value = (name: keyof ProfileValues): string => `given.value ->> ${columns.indexOf(name)}`;

/** The rest is the profile's identity; touching it would have every referring row looked up. */
const changeable = columns.filter(
  (name) => !["id", "account_id", "email_folded", "deleted_at"].includes(name),
);

const staged =
  "profile_uploads AS upload, json_each(upload.rows) AS given WHERE upload.account_id = ? AND upload.id = ?";

const upsertSql = `INSERT INTO ${getTableName(profiles)} (${columns.join(", ")})
  SELECT ${columns.map(value).join(", ")} FROM ${staged} AND upload.piece = ?
  ON CONFLICT (account_id, email_folded) WHERE deleted_at IS NULL
  DO UPDATE SET ${changeable.map((name) => `${name} = excluded.${name}`).join(", ")}`;

/** A row was decided on a revision one below its own; 0 where there was no profile. */
const movedSql = `EXISTS (SELECT 1 FROM ${staged} AND (${value("revision")}) - 1 <> COALESCE(
  (SELECT revision FROM profiles WHERE account_id = upload.account_id AND email_folded = ${value("email_folded")}
    AND deleted_at IS NULL), 0))`;

async function stageAndApply(ctx: Ctx, uploaded: NewProfile[]): Promise<void> {
  const { db, account } = ctx;
  const id = ctx.newId();
  const removal = {
    sql: "DELETE FROM profile_uploads WHERE account_id = ? AND id = ?",
    params: [account.id, id],
  };
  try {
    let pieces = 0;
    for (const group of inGroups(uploaded))
      for (const rows of rowsAsJson(columns, await valuesOf(ctx, group)))
        await commit({ db }, [staging(ctx, id, pieces++, rows)]);
    const upserts = Array.from({ length: pieces }, (_, piece) => ({
      sql: upsertSql,
      params: [account.id, id, piece],
    }));
    await commit(ctx, [guard(movedSql, [account.id, id]), ...upserts, removal]);
  } catch (error) {
    await commit({ db }, [removal]).catch(() => ctx.log("upload_not_removed", { upload_id: id }));
    if (isGuard(error) || (error instanceof ConstraintError && error.kind === "unique"))
      throw new StaleError();
    throw error;
  }
}

function staging({ account, realNow }: Ctx, id: string, piece: number, rows: string): Statement {
  return {
    sql: "INSERT INTO profile_uploads (id, account_id, piece, rows, created_at) VALUES (?, ?, ?, ?, ?)",
    params: [id, account.id, piece, rows, realNow],
  };
}

/** The profiles as they are to be, made of what is known of them and what is uploaded. */
async function valuesOf(ctx: Ctx, group: NewProfile[]): Promise<ProfileValues[]> {
  const emails = group.map(({ email }) => fold(email));
  const existing = await findProfilesByEmail(ctx, emails);
  return group.map((row, index) => {
    const profile = existing.get(emails[index] ?? "");
    if (!profile) return newProfile(ctx, row);
    const { seq, ...known } = profile;
    return changedProfile(ctx, known, row);
  });
}

function* inGroups(uploaded: NewProfile[]): Generator<NewProfile[]> {
  let group: NewProfile[] = [];
  let size = 0;
  for (const row of uploaded) {
    group.push(row);
    for (const text of Object.values(row)) size += text?.length ?? 0;
    if (group.length < groupRows && size < groupCharacters) continue;
    yield group;
    group = [];
    size = 0;
  }
  if (group.length > 0) yield group;
}

function refuseRepeated(uploaded: NewProfile[]): void {
  const seen = new Set<string>();
  const details: ErrorDetail[] = [];
  for (const [index, row] of uploaded.entries()) {
    const email = fold(row.email);
    if (seen.has(email))
      details.push({ path: `profiles.${index}.email`, message: "is in the upload more than once" });
    seen.add(email);
    if (details.length === maxDetails) break;
  }
  if (details.length > 0) throw invalid(details);
}
