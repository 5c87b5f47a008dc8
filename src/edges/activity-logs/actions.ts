import { guard } from "../../base/db/guard.ts";
import { newEntries } from "../../base/db/new-entries.ts";
import type { Statement } from "../../base/db/port.ts";
import { insertRow } from "../../base/db/row-writes.ts";
import { DomainError } from "../../base/errors.ts";
import { eventTypeOf } from "../../base/event-types.ts";
import { type Ctx, keepCreated } from "../../kit/context.ts";
import { selectEntry } from "../../kit/journal/by-id.ts";
import type { NewEntry } from "../../kit/journal/tables.ts";
import { commitEntries } from "../../kit/journal/write.ts";
import { findLoggable } from "./queries.ts";
import type { NewActivityLog } from "./schemas.ts";

/** Adds an integration's entry. Throws UNKNOWN_LOGGABLE if the account has no such record. */
export async function appendActivityLog(ctx: Ctx, input: NewActivityLog): Promise<NewEntry> {
  const about = await findLoggable(ctx, input.loggable_type, input.loggable_id);
  if (!about)
    throw new DomainError("UNKNOWN_LOGGABLE", `The account has no such ${input.loggable_type}`, [
      { path: "loggable_id", message: "is not known" },
    ]);
  const entry: NewEntry = {
    ...about,
    id: ctx.newId(),
    account_seq: ctx.account.seq,
    action: input.action,
    description: input.description ?? null,
    changes: null,
    metadata: input.metadata ? JSON.stringify(input.metadata) : null,
    actor_type: "api",
    actor_name: ctx.actor.name,
    loggable_type: input.loggable_type,
    loggable_id: input.loggable_id,
    created_at: ctx.now,
    type: eventTypeOf(input.action),
    recorded_at: ctx.realNow,
  };
  keepCreated(ctx, { entry: entry.id });
  const proof = () => selectEntry(entry);
  await commitEntries(ctx, [entry.id], [guardUnwritten(entry), { ...insertRow(newEntries, entry), proof }]);
  return entry;
}

/** An integration's entry changes no record whose revision would guard it, so a repeated batch is refused by the entry itself. */
function guardUnwritten({ account_seq, created_at, id }: NewEntry): Statement {
  return guard(
    `EXISTS (SELECT 1 FROM activity_logs INDEXED BY activity_logs_by_time
      WHERE account_seq = ? AND created_ms = ? AND id = ? AND loggable_type IN ('subscription', 'order'))`,
    [account_seq, Date.parse(created_at), id],
  );
}
