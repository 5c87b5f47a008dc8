import type { Account } from "../../base/accounts/tables.ts";
import { guard, isGuard } from "../../base/db/decide.ts";
import type { Statement } from "../../base/db/port.ts";

/** Refuses its batch unless the account is where it was on its way when it was read: somebody else may have taken the next step. */
export function requireUnmoved({ id, moving }: Pick<Account, "id" | "moving">): Statement {
  return guard("NOT EXISTS (SELECT 1 FROM accounts WHERE id = ? AND moving IS ?)", [id, moving]);
}

/** The result of a write; undefined where a guard refused it, as another call was quicker. */
export async function undefinedIfChanged<T>(written: Promise<T>): Promise<T | undefined> {
  return written.catch((error) => {
    if (isGuard(error)) return undefined;
    throw error;
  });
}
