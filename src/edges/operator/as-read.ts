import { and, eq, isNull } from "drizzle-orm";
import { type Account, accounts } from "../../base/accounts/tables.ts";
import { guard, isGuard } from "../../base/db/guard.ts";
import type { Statement } from "../../base/db/port.ts";
import { build, statement } from "../../base/db/statement.ts";
import { DomainError } from "../../base/errors.ts";

/** Refuses its batch unless the account is where it was on its way when it was read: somebody else may have taken the next step. */
export function guardUnmoved({ id, moving }: AsRead): Statement {
  return guard("NOT EXISTS (SELECT 1 FROM accounts WHERE id = ? AND moving IS ?)", [id, moving]);
}

/** Changes the account's entry, if it is still where it was on its way when it was read. */
export function updateAsRead({ id, moving }: AsRead, values: Partial<Account>): Statement {
  const isAsRead = moving === null ? isNull(accounts.moving) : eq(accounts.moving, moving);
  return statement(
    build
      .update(accounts)
      .set(values)
      .where(and(eq(accounts.id, id), isAsRead)),
  );
}

/** A call that comes late, after another has gone on: it has changed nothing, and the next goes on from where the account is. */
export function newOvertakenError(): DomainError {
  return new DomainError(
    "VERSION_CONFLICT",
    "Another call has taken the account further meanwhile: call again",
  );
}

/** The result of a write; undefined where a guard refused it, as another call was quicker. */
export async function undefinedIfChanged<T>(written: Promise<T>): Promise<T | undefined> {
  return written.catch((error) => {
    if (isGuard(error)) return undefined;
    throw error;
  });
}

/** The result of a write, for whom it matters that another call was quicker: VERSION_CONFLICT where a guard refused it. */
export async function refuseIfOvertaken<T>(written: Promise<T>): Promise<T> {
  return written.catch((error) => {
    throw isGuard(error) ? newOvertakenError() : error;
  });
}

type AsRead = Pick<Account, "id" | "moving">;
