import { is, SQL } from "drizzle-orm";
import type { AccountSeq } from "../db/columns.ts";
import { newEntries } from "../db/new-entries.ts";
import type { Statement } from "../db/port.ts";
import { build, statement } from "../db/statement.ts";
import { eventTypes } from "../event-types.ts";
import type { FieldChange } from "../lib/diff.ts";
import { newId } from "../lib/ids.ts";

/** Who changes an account or a key: a caller of the API, or the system on behalf of an operator. */
export type Author = { type: "customer" | "admin" | "api" | "system"; name: string | null };

export const operator: Author = { type: "system", name: null };

type AccountEntry = {
  /** The id of the entry, where something else names it. */
  id?: string;
  /** The account's number, or what selects it. */
  account: AccountSeq | SQL<AccountSeq>;
  action: "account_updated" | "account_exported" | "api_key_created" | "api_key_revoked";
  /** The account or key. A condition that yields NULL refuses the whole batch. */
  subject: { type: "account" | "api_key"; id: string | SQL<string> };
  changes?: Record<string, FieldChange>;
  metadata?: Record<string, unknown> | SQL<string>;
  author: Author;
  now: string;
};

/** The history entry of a change of an account or of one of its keys. It joins the batch of the change. */
export function insertAccountEntry({
  id,
  account,
  action,
  subject,
  author,
  now,
  ...texts
}: AccountEntry): Statement {
  return statement(
    build.insert(newEntries).values({
      id: id ?? newId(now),
      account_seq: account,
      action,
      changes: textOf(texts.changes),
      metadata: is(texts.metadata, SQL) ? texts.metadata : textOf(texts.metadata),
      actor_type: author.type,
      actor_name: author.name,
      loggable_type: subject.type,
      loggable_id: subject.id,
      created_at: now,
      type: eventTypes[action],
      recorded_at: now,
    }),
  );
}

function textOf(value: object | undefined): string | null {
  return value ? JSON.stringify(value) : null;
}
