import { and, eq } from "drizzle-orm";
import { type Account, accounts } from "../../base/accounts/tables.ts";
import { guard, isGuard } from "../../base/db/decide.ts";
import type { Statement } from "../../base/db/port.ts";
import { build, statement } from "../../base/db/statement.ts";
import { DomainError } from "../../base/errors.ts";

/** Refuses its batch unless the account is where it was on its way when it was read: somebody else may have taken the next step. */
export function requireUnmoved({ id, moving }: Pick<Account, "id" | "moving">): Statement {
  return guard("NOT EXISTS (SELECT 1 FROM accounts WHERE id = ? AND moving IS ?)", [id, moving]);
}

/** The account is on another step from now on, if it is still where it was when it was read. */
export function markMoving({ id, moving: from }: Pick<Account, "id" | "moving">, moving: string): Statement {
  const isAsRead = from === null ? undefined : eq(accounts.moving, from);
  return statement(
    build
      .update(accounts)
      .set({ moving })
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
