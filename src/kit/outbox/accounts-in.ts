/**
 * A recursive common table `account (seq)`: the accounts that have such rows, and a last NULL. It goes from account to account, one look
 * each, where the rows are read by an index or a key that begins with the account. `rows` is a table with its condition.
 */
export function accountsIn(rows: string): string {
  return `account (seq) AS (
        SELECT (SELECT MIN(account_seq) FROM ${rows})
        UNION ALL
        SELECT (SELECT MIN(account_seq) FROM ${rows} AND account_seq > account.seq) FROM account WHERE seq IS NOT NULL
      )`;
}
