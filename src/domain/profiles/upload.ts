import { and, eq, getTableColumns, isNull, lt, sql } from "drizzle-orm";
import { rowsAsJson } from "../../base/db/bulk.ts";
import type { AccountSeq } from "../../base/db/columns.ts";
import { ConstraintError, commit } from "../../base/db/commit.ts";
import { guard, isGuard } from "../../base/db/guard.ts";
import type { Db, Statement } from "../../base/db/port.ts";
import { retryOnConflict, StaleError } from "../../base/db/retry-on-conflict.ts";
import { insertRow } from "../../base/db/row-writes.ts";
import { build, type Params, prepare, statement } from "../../base/db/statement.ts";
import { type ErrorDetail, invalid, maxDetails } from "../../base/errors.ts";
import { eventTypes } from "../../base/event-types.ts";
import { emailKey } from "../../base/lib/email-address.ts";
import { hourMs } from "../../base/lib/time/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import { prune } from "../../kit/outbox/prune.ts";
import { applyChanges, newProfile, type ProfileValues } from "./actions.ts";
import { changedFields } from "./entries.ts";
import { findProfilesByEmail } from "./queries.ts";
import type { NewProfile } from "./schemas.ts";
import { profiles, profileUploads } from "./tables.ts";

/**
 * Creates or changes profiles by e-mail, all or none. A field that a row does not name keeps its value. The rows are staged
 * piece by piece, so that few of them are in memory at once and other requests run in between, and then applied in one batch.
 * Returns the number of rows. Throws VALIDATION_FAILED by row, or VERSION_CONFLICT.
 */
export async function uploadProfiles(ctx: Ctx, uploaded: NewProfile[]): Promise<number> {
  refuseRepeated(uploaded);
  if (uploaded.length > 0) await retryOnConflict(() => stageAndApply(ctx, uploaded));
  return uploaded.length;
}

/** Deletes the staged rows of requests that died, a limited number at each tick. */
export function pruneUploads(db: Db, now: Date): Promise<unknown> {
  const anHourAgo = new Date(now.getTime() - hourMs).toISOString();
  const { created_at } = profileUploads;
  return prune(db, profileUploads, {
    where: lt(created_at, anHourAgo),
    oldestBy: created_at,
    size: pieceLimit,
  });
}

const pieceLimit = 100;

/** The rows and characters of the group that is looked up, merged and staged at once. */
const groupRows = 2_500;
const groupCharacters = 300_000;

/** The columns of a staged row, in its order. The database assigns seq, and the upload is its account's. */
const columns = Object.keys(getTableColumns(profiles)).filter(
  (name) => name !== "seq" && name !== "account_seq",
) as (keyof ProfileValues)[];

/** The other columns identify the profile. Setting them would make SQLite check every row that refers to it. */
const changeable = columns.filter((name) => !["id", "email_folded", "deleted_at"].includes(name));

/** A staged row also has the id of its entry, and the fields that it changes (JSON), null for a new profile. */
const stagedColumns = [...columns, "entry_id", "changed_fields"] as const;
type StagedRow = ProfileValues & { entry_id: string; changed_fields: string | null };

type Upload = { account_seq: AccountSeq; id: string };

/** An INSERT of the builder lists all columns of its table, so the SELECT has a value for each, and NULL for seq. */
const insertPieceProfiles = prepare((p: Params<Upload & { piece: number }>) =>
  build
    .insert(profiles)
    .select(
      sql`SELECT ${sql.join(Object.keys(getTableColumns(profiles)).map(stagedColumn), sql`, `)}
        FROM ${profileUploads} AS upload, json_each(upload.rows) AS input
        WHERE upload.account_seq = ${p("account_seq")} AND upload.id = ${p("id")} AND upload.piece = ${p("piece")}`,
    )
    .onConflictDoUpdate({
      target: [profiles.account_seq, profiles.email_folded],
      targetWhere: isNull(profiles.deleted_at),
      set: Object.fromEntries(changeable.map((name) => [name, sql`excluded.${sql.identifier(name)}`])),
    }),
);

/**
 * The events of a piece: one for each profile that is new or has changed, as `profileEntry` makes it. Their deliveries wait for
 * the sweep, as so many ids would fill the memory. The builder would have to list every column.
 */
const entriesSql = `INSERT INTO new_entries (id, account_seq, action, metadata, actor_type, actor_name, loggable_type,
    loggable_id, profile_id, created_at, recorded_at, type)
  SELECT ${stagedValue("entry_id")}, upload.account_seq, iif(${stagedValue("changed_fields")} IS NULL, ?, ?),
    iif(${stagedValue("changed_fields")} IS NULL, NULL, json_object('fields', json(${stagedValue("changed_fields")}))), ?, ?,
    'profile', ${stagedValue("id")}, ${stagedValue("id")}, ?, ?, iif(${stagedValue("changed_fields")} IS NULL, ?, ?)
  FROM profile_uploads AS upload, json_each(upload.rows) AS input
  WHERE upload.account_seq = ? AND upload.id = ? AND upload.piece = ? AND ${stagedValue("changed_fields")} IS NOT '[]'`;

/**
 * Whether a profile has changed since its row was made: the row's revision is one above the profile's, or 1 for a new profile.
 * A guard is text.
 */
const changedSince = `EXISTS (SELECT 1 FROM profile_uploads AS upload, json_each(upload.rows) AS input
  WHERE upload.account_seq = ? AND upload.id = ?
    AND (input.value ->> ${columns.indexOf("revision")}) - 1 <> COALESCE(
      (SELECT revision FROM profiles WHERE account_seq = upload.account_seq
        AND email_folded = input.value ->> ${columns.indexOf("email_folded")} AND deleted_at IS NULL), 0))`;

async function stageAndApply(ctx: Ctx, uploaded: NewProfile[]): Promise<void> {
  const { db, account } = ctx;
  const upload: Upload = { account_seq: account.seq, id: ctx.newId() };
  try {
    let pieces = 0;
    for (const group of inGroups(uploaded))
      for (const rows of rowsAsJson(stagedColumns, await stageRows(ctx, group)))
        await commit({ db }, [insertPiece(ctx, upload, pieces++, rows)]);
    const applied = Array.from({ length: pieces }, (_, piece) => pieceStatements(ctx, upload, piece)).flat();
    await commit(ctx, [
      guard(changedSince, [upload.account_seq, upload.id]),
      ...applied,
      deleteUpload(upload),
    ]);
  } catch (error) {
    await commit({ db }, [deleteUpload(upload)]).catch(() =>
      ctx.log("upload_not_removed", { upload_id: upload.id }),
    );
    if (isGuard(error) || (error instanceof ConstraintError && error.kind === "unique"))
      throw new StaleError();
    throw error;
  }
}

function insertPiece({ realNow }: Ctx, upload: Upload, piece: number, rows: string): Statement {
  return insertRow(profileUploads, { ...upload, piece, rows, created_at: realNow });
}

/** Makes a staged piece profiles, and each change an event. */
function pieceStatements({ actor, now, realNow }: Ctx, upload: Upload, piece: number): Statement[] {
  const actions = ["profile_created", "profile_updated"] as const;
  const types = actions.map((action) => eventTypes[action]);
  const { account_seq, id } = upload;
  const params = [...actions, actor.type, actor.name, now, realNow, ...types, account_seq, id, piece];
  return [insertPieceProfiles({ ...upload, piece }), { sql: entriesSql, params }];
}

function deleteUpload({ account_seq, id }: Upload): Statement {
  return statement(
    build
      .delete(profileUploads)
      .where(and(eq(profileUploads.account_seq, account_seq), eq(profileUploads.id, id))),
  );
}

/** A column's value in a staged row. */
function stagedColumn(name: string) {
  if (name === "account_seq") return sql`upload.account_seq`;
  const index = columns.indexOf(name as keyof ProfileValues);
  return index < 0 ? sql`NULL` : sql.raw(`input.value ->> ${index}`);
}

function stagedValue(name: keyof StagedRow): string {
  return `input.value ->> ${stagedColumns.indexOf(name)}`;
}

/** The profiles with the uploaded values, merged with those that exist. */
async function stageRows(ctx: Ctx, group: NewProfile[]): Promise<StagedRow[]> {
  const emails = group.map(({ email }) => emailKey(email));
  const existing = await findProfilesByEmail(ctx, emails);
  return group.map((row, index) => {
    const profile = existing.get(emails[index] ?? "");
    if (!profile) return { ...newProfile(ctx, row), entry_id: ctx.newId(), changed_fields: null };
    const { seq, ...known } = profile;
    const changed = applyChanges(ctx, known, row);
    const changed_fields = JSON.stringify(changedFields(known, changed));
    return { ...changed, entry_id: ctx.newId(), changed_fields };
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
    const email = emailKey(row.email);
    if (seen.has(email))
      details.push({ path: `profiles.${index}.email`, message: "is in the upload more than once" });
    seen.add(email);
    if (details.length === maxDetails) break;
  }
  if (details.length > 0) throw invalid(details);
}
