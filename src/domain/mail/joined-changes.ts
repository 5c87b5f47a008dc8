import { raw, rows } from "../../base/db/statement.ts";
import { type Instant, later } from "../../base/lib/time/dates.ts";
import { minuteMs } from "../../base/lib/time/durations.ts";
import { type ActorType, actorTypes, type Ctx } from "../../kit/context.ts";
import type { EventRow } from "../events/queries.ts";

/**
 * Somebody who changes a subscription for its customer seldom makes one change alone: of those within five minutes of the first the newest
 * is told, once they are over. So changes that follow each other without an end are told, too. Returns until when a change waits, and
 * the newer ones, of which one that has a mail is told in its place.
 */
export async function findJoining(
  ctx: Ctx,
  event: EventRow,
  types: readonly string[],
): Promise<{ until: Instant; newer: MailedChange[] }> {
  const { created_at } = event;
  const joining = { types, actors: staff };
  const earlier = { ...joining, since: later(created_at, -joinedMs), until: created_at, after: 0 };
  const [first] = await readMailed(ctx, event, earlier);
  const until = later(first?.created_at ?? created_at, joinedMs);
  const newer = { ...joining, since: created_at, until, after: event.sequence };
  return { until, newer: await readMailed(ctx, event, newer) };
}

/** Whether an event of these types tells of the same change of the subscription, whoever has made it. */
export async function isToldBy(ctx: Ctx, event: MailedChange, types: readonly string[]): Promise<boolean> {
  const { created_at: since, sequence: after } = event;
  const range = { types, actors: actorTypes, since, until: later(since, joinedMs), after };
  return (await readMailed(ctx, event, range)).length > 0;
}

/** Whoever changes subscriptions for others, in the order of their changes. */
export function isByStaff({ actor_type }: EventRow): boolean {
  return actor_type !== null && staff.includes(actor_type);
}

const joinedMs = 5 * minuteMs;
const staff: readonly ActorType[] = ["admin", "api"];

type Wanted = {
  types: readonly string[];
  actors: readonly ActorType[];
  since: Instant;
  until: Instant;
  /** A place in the stream, by which the events of one instant are told apart. */
  after: number;
};

/** Each may take a statement more. Where these are all told by other mails, the change is told although a newer one might be, too. */
const readAtOnce = 10;

/** A change that has a mail, in the account's time. */
export type MailedChange = Pick<EventRow, "loggable_id" | "created_at" | "sequence" | "changes">;

/** The first such events of the event's subscription that have a mail. Raw, because the index is named. */
function readMailed(
  { db, account }: Ctx,
  { loggable_id }: MailedChange,
  { types, actors, since, until, after }: Wanted,
): Promise<MailedChange[]> {
  return rows(
    db,
    raw<MailedChange>(
      `SELECT entry.loggable_id, entry.created_at, entry.sequence, entry.changes
        FROM activity_logs AS entry INDEXED BY activity_logs_by_record
        WHERE entry.account_seq = ?1 AND entry.loggable_type = 'subscription' AND entry.loggable_id = ?2
          AND entry.created_ms BETWEEN ?3 AND ?4 AND entry.sequence > CAST(?5 AS INTEGER)
          AND entry.type IN (SELECT value FROM json_each(?6)) AND entry.actor_type IN (SELECT value FROM json_each(?7))
          AND EXISTS (SELECT 1 FROM mails AS mail WHERE mail.account_seq = entry.account_seq AND mail.id = entry.id)
        ORDER BY entry.created_ms LIMIT ${readAtOnce}`,
      ...[account.seq, loggable_id, Date.parse(since), Date.parse(until), after],
      ...[JSON.stringify(types), JSON.stringify(actors)],
    ),
  );
}
