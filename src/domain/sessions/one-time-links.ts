import { and, eq, gt, isNull, lt, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { AccountSeq } from "../../base/db/columns.ts";
import { guard } from "../../base/db/guard.ts";
import type { Db, Statement } from "../../base/db/port.ts";
import { build, statement } from "../../base/db/statement.ts";
import { credentialsKeyOf } from "../../base/env.ts";
import { randomSecret, seal, unseal } from "../../base/lib/secrets/sealed.ts";
import { type Instant, later } from "../../base/lib/time/dates.ts";
import { dayMs, hourMs, minuteMs } from "../../base/lib/time/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import type { Entry } from "../../kit/journal/write.ts";
import { prune } from "../../kit/outbox/prune.ts";

/*
 * One-time links and the sessions that they become, of customers and of staff alike. Each has its tables; the rules are these.
 */

/** A link is good once, within this time. */
export const linkMs = 15 * minuteMs;
export const sessionMs = 12 * hourMs;

/** A secret for a link or a cookie, in base64url. */
export function newSecret(): string {
  return randomSecret(secretBytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

const secretBytes = 32;

type OwnedTable = SQLiteTable & Record<"account_seq" | "expires_at", SQLiteColumn>;
type LinkTable = OwnedTable & Record<"token_hash" | "session_id", SQLiteColumn>;

type Spending = {
  links: LinkTable;
  sessions: SQLiteTable;
  link: { account_seq: AccountSeq; token_hash: string };
  session_id: string;
  now: Instant;
  /** The condition besides: whether the one whose link it is may still sign in. */
  isOpen: SQL;
  /** The columns of the session, by the link. */
  session: Record<string, unknown>;
  returned: Record<string, SQLiteColumn>;
};

/** The statements that make a session of a link. Of two at once one finds the link unspent: its row names the session. */
export function spendStatements<Row>({
  links,
  sessions,
  link,
  session_id,
  now,
  isOpen,
  session,
  returned,
}: Spending): [Statement<Row>, Statement] {
  const isLink = and(eq(links.account_seq, link.account_seq), eq(links.token_hash, link.token_hash));
  return [
    statement(
      build
        .update(links)
        .set({ session_id })
        .where(and(isLink, isNull(links.session_id), gt(links.expires_at, now), isOpen))
        .returning(returned),
    ) as Statement<Row>,
    statement(
      build.insert(sessions).select(
        build
          .select(session as Parameters<typeof build.select>[0] & object)
          .from(links)
          .where(and(isLink, eq(links.session_id, session_id))) as never,
      ),
    ),
  ];
}

/** Deletes links and sessions a day after they have expired, a limited number at each tick. */
export async function pruneExpired(db: Db, now: Date, tables: OwnedTable[]): Promise<void> {
  const before = later(now.toISOString(), -keptMs);
  for (const table of tables) {
    const { expires_at } = table;
    await prune(db, table, { where: lt(expires_at, before), oldestBy: expires_at, size: pruneSize });
  }
}

const pruneSize = 1000;
const keptMs = dayMs;

/** Seals a request for a link: no queue and no log shows who was asked for. */
export function sealRequest({ env, account }: Sealing, whose: Audience, asked: object): Promise<string> {
  return seal(credentialsKeyOf(env), ownerOf(account, whose), JSON.stringify(asked));
}

/** Unseals a request for a link; undefined where the key that sealed it is gone, so that nothing could open it later either. */
export async function openRequest(
  { env, account }: Sealing,
  whose: Audience,
  sealed: string,
): Promise<unknown> {
  const text = await unseal(credentialsKeyOf(env), ownerOf(account, whose), sealed).catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

/** Whether nobody waits for the link of a request any more. */
export function isStale(asked_at: Instant, { realNow }: Pick<Ctx, "realNow">): boolean {
  return asked_at <= later(realNow, -hourMs);
}

type Sealing = Pick<Ctx, "env" | "account">;
type Audience = "portal" | "staff";

function ownerOf({ id }: Ctx["account"], whose: Audience): string {
  return `${whose} login ${id}`;
}

const perHour = 5;

/**
 * Refuses the entry of a sixth request within an hour, and of one that a queue delivers twice. Counted within the batch, so that requests at
 * the same time do not pass it together.
 */
export function guardBelowLimit(
  { account, realNow }: Pick<Ctx, "account" | "realNow">,
  { action, subject: { type, row } }: Entry,
  request_id: string,
): Statement {
  return guard(
    `(SELECT COUNT(*) >= ? OR COALESCE(SUM(json_extract(metadata, '$.request_id') = ?), 0) > 0
      FROM activity_logs INDEXED BY activity_logs_by_record WHERE account_seq = ? AND loggable_type = ? AND loggable_id = ?
      AND action = ? AND COALESCE(recorded_at, created_at) > ?)`,
    [perHour, request_id, account.seq, type, row.id, action, later(realNow, -hourMs)],
  );
}
