import type { Statement } from "../../src/base/db/port.ts";
import { raw } from "../../src/base/db/statement.ts";

/** No forecast of goods is taken for an account: they move no money, and take much time. */
export function withoutForecasts(accountId: string): Statement {
  return raw(
    "UPDATE reconciliations SET next_forecast_at = '2099-01-01T00:00:00.000Z' WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    accountId,
  );
}
