import { and, eq, ne, type Placeholder, sql } from "drizzle-orm";
import type { Db, Statement, Value } from "../../../base/db/port.ts";
import { build, type Params, prepare } from "../../../base/db/statement.ts";
import { later } from "../../../base/lib/time/dates.ts";
import { dayMs } from "../../../base/lib/time/durations.ts";
import type { Created } from "../../context.ts";
import { type IdempotencyKey, idempotencyKeys as keys } from "./idempotency-tables.ts";

/** A request that has an Idempotency-Key, and what is known of the key. */
export type KeyedRequest = {
  /** The database, without looking the key up. */
  db: Db;
  /** The identity of this request in the key's row. */
  own: KeyedRow;
  /** The mark of the request's commit, once it has tried to commit. */
  mark?: Statement;
  hasLookedUp: boolean;
  hasCommitted: boolean;
  /** Whether the handler was called. A request that the schemas refuse does not reach it. */
  hasHandler: boolean;
  /** The row of an earlier request with this key. */
  earlier?: IdempotencyKey;
};

/** Real time. Responses are stored for a day. */
export const retentionMs = dayMs;

/** Finds the request of the last day that has this key. */
export function selectEarlierRequest(own: KeyedRow): Statement<IdempotencyKey> {
  return selectEarlier({ ...scopeOf(own), since: dayBefore(own) });
}

/** The key's part of a request's batch. It fails the batch (NOT NULL) if another request has the key. */
export function insertCommitMark(own: KeyedRow, created: Partial<Created>): Statement {
  return insertMark({
    ...own,
    since: dayBefore(own),
    made: JSON.stringify(created),
  });
}

/**
 * Stores the response of a request: with the mark of its commit, or of the earlier one that it was made for, unless another
 * response is stored there; by itself if the request has changed nothing, unless another request has the key.
 */
export function answerStatement(
  { own, earlier, hasCommitted }: Pick<KeyedRequest, "own" | "earlier" | "hasCommitted">,
  answer: Answer,
): Statement {
  if (hasCommitted || earlier)
    return updateAnswer({ ...scopeOf(own), token: (earlier ?? own).token, ...answer });
  return insertDone({ ...own, since: dayBefore(own), ...answer });
}

export type KeyScope = Pick<IdempotencyKey, "account_seq" | "caller" | "method" | "path" | "key">;
/** The columns of a key's row that say which request has it. */
type KeyedRow = KeyScope & Pick<IdempotencyKey, "request_hash" | "token" | "created_at">;

type Answer = Pick<IdempotencyKey, "status" | "headers" | "body">;

const scope = ["account_seq", "caller", "method", "path", "key"] as const;
const target = scope.map((name) => keys[name]);

/** Whether a row counts. One that is older than a day does not. */
function isCurrent(p: Params<{ since: string }>) {
  return sql`${keys.created_at} >= ${p("since")}`;
}

const selectEarlier = prepare((p: Params<KeyScope & { since: string }>) =>
  build
    .select()
    .from(keys)
    .where(and(...inScope(p), isCurrent(p))),
);

const insertMark = prepare((p: Params<KeyedRow & { since: string; made: string }>) =>
  build
    .insert(keys)
    .values({ ...valuesOf(p), state: "COMMITTED", made: sql`${p("made")}` })
    .onConflictDoUpdate({
      target,
      set: { ...replaced, state: sql`CASE WHEN NOT (${isCurrent(p)}) THEN excluded.state END` },
    }),
);

const insertDone = prepare((p: Params<KeyedRow & { since: string } & Answer>) =>
  build
    .insert(keys)
    .values({
      ...valuesOf(p),
      state: "DONE",
      status: sql`${p("status")}`,
      headers: sql`${p("headers")}`,
      body: sql`${p("body")}`,
    })
    .onConflictDoUpdate({
      target,
      set: { ...replaced, state: sql`excluded.state` },
      setWhere: sql`NOT (${isCurrent(p)})`,
    }),
);

const updateAnswer = prepare((p: Params<KeyScope & { token: string } & Answer>) =>
  build
    .update(keys)
    .set({
      state: "DONE",
      status: sql`${p("status")}`,
      headers: sql`${p("headers")}`,
      body: sql`${p("body")}`,
      made: null,
    })
    .where(and(...inScope(p), eq(keys.token, p("token")), ne(keys.state, "DONE"))),
);

/** The columns of the new row in place of those of the old one. */
const replaced = Object.fromEntries(
  (["request_hash", "token", "status", "headers", "body", "created_at", "made"] as const).map((name) => [
    name,
    sql.raw(`excluded.${name}`),
  ]),
);

function valuesOf(p: (name: keyof KeyedRow) => Placeholder) {
  return {
    account_seq: p("account_seq"),
    caller: p("caller"),
    method: p("method"),
    path: p("path"),
    key: p("key"),
    request_hash: p("request_hash"),
    token: p("token"),
    created_at: p("created_at"),
  };
}

function inScope(p: (name: keyof KeyScope) => Placeholder) {
  return scope.map((name) => eq(keys[name], p(name)));
}

function scopeOf({ account_seq, caller, method, path, key }: KeyScope): KeyScope & Record<string, Value> {
  return { account_seq, caller, method, path, key };
}

function dayBefore({ created_at }: KeyedRow): string {
  return later(created_at, -retentionMs);
}
