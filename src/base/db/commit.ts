import { DomainError } from "../errors.ts";
import type { Instant } from "../lib/time/dates.ts";
import type { Db, Result, Statement } from "./port.ts";
import { messagesOf, type Transience, transienceOf } from "./transient-errors.ts";
import { admit, noteDone, type Rehearsal } from "./wrapped/rehearsal.ts";

/** A constraint of the schema refused a write; nothing of its batch remains. `on` is what SQLite names: `table.column`. */
export class ConstraintError extends Error {
  readonly kind: "unique" | "not_null" | "check" | "foreign_key";
  readonly on: string;

  constructor(kind: ConstraintError["kind"], on: string) {
    super(`${kind} constraint failed: ${on}`);
    this.name = "ConstraintError";
    this.kind = kind;
    this.on = on;
  }
}

/**
 * The only way to write: all statements or none, in order. A rehearsal writes nothing, and what was written has no rows then. Under an Idempotency-Key the claim stands first in the same batch, so
 * that of several requests with a key one commits, and the others fail for that reason alone.
 * Throws ConstraintError; any other failure may have committed, so every batch must be safe to repeat.
 */
export async function commit<R extends unknown[]>(
  { db, claim, rehearsal }: Writer,
  statements: { [K in keyof R]: Statement<R[K]> },
): Promise<{ [K in keyof R]: Result<R[K]> }> {
  const guards = rehearsal ? admit(rehearsal, statements) : [];
  if (!guards) return statements.map(() => ({ rows: [] })) as { [K in keyof R]: Result<R[K]> };
  try {
    const before = [...(claim ? [claim()] : []), ...guards];
    const results = await db.batch(before.length > 0 ? [...before, ...statements] : statements, "write");
    if (rehearsal) noteDone(rehearsal);
    return results.slice(before.length) as { [K in keyof R]: Result<R[K]> };
  } catch (error) {
    const cause = classify(error);
    if (cause instanceof ConstraintError && cause.on === "idempotency_keys.state")
      throw new DomainError("IDEMPOTENCY_IN_PROGRESS", "Another request took this Idempotency-Key over");
    throw cause;
  }
}

/** The error that a failed batch is thrown as: a broken constraint and a passing outage are no faults of the code. */
export function classify(error: unknown): unknown {
  const message = messagesOf(error);
  const match = constraint.exec(message);
  if (match) return new ConstraintError(kinds[match[1] as keyof typeof kinds], match[2] ?? "");
  if (message.includes(movingFault)) return new MovingError(message);
  if (message.includes(deletingFault)) return new DomainError("UNAVAILABLE", "The account is being deleted");
  return unavailable(transienceOf(error)) ?? error;
}

const constraint =
  /(UNIQUE|NOT NULL|CHECK|FOREIGN KEY) constraint failed(?:: (?!SQLITE)([^:]+?))?(?:$|: SQLITE|\n)/;
const kinds = {
  UNIQUE: "unique",
  "NOT NULL": "not_null",
  CHECK: "check",
  "FOREIGN KEY": "foreign_key",
} as const;
/** The error message of the trigger that refuses writes of an account which is being moved (operator/move/fence.ts). */
export const movingFault = "the account is being moved";

/** The error message of the trigger that refuses writes of an account which is being deleted. */
export const deletingFault = "the account is being deleted";

/** The account is being moved. Its fence says until when it is expected to stand. */
export class MovingError extends DomainError {
  readonly until: Instant | undefined;

  constructor(fault: string) {
    super(
      "UNAVAILABLE",
      "The account is being moved to another database: until it is there it can be read, but not changed",
    );
    this.name = "MovingError";
    this.until = /until (\S+Z)/.exec(fault)?.[1];
  }
}

/** The database has no room left: nothing can be written until somebody makes some. */
export class DatabaseFullError extends DomainError {
  constructor() {
    super("UNAVAILABLE", "The database is full, so nothing can be stored for now");
    this.name = "DatabaseFullError";
  }
}

function unavailable(kind: Transience | undefined): DomainError | undefined {
  if (kind === undefined) return undefined;
  if (kind === "full") return new DatabaseFullError();
  return new DomainError("UNAVAILABLE", "The database is not reachable, try again");
}

/** A database to write to, what claims the request's Idempotency-Key, if it carries one, and its rehearsal: what is only rehearsed is not written. */
export type Writer = {
  db: Db;
  claim?: (() => Statement) | undefined;
  rehearsal?: Rehearsal | undefined;
};
