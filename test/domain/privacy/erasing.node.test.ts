/** The SQL that erases a person or an account works on libSQL as on D1. */
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { migrationTexts } from "../../../scripts/migrations.ts";
import { createAccount } from "../../../src/base/accounts/actions.ts";
import { insertRows } from "../../../src/base/db/bulk.ts";
import { commit } from "../../../src/base/db/commit.ts";
import type { Row } from "../../../src/base/db/port.ts";
import { raw, rows } from "../../../src/base/db/statement.ts";
import { newId } from "../../../src/base/lib/ids.ts";
import { accountTables, deleteSome } from "../../../src/domain/privacy/account-tables.ts";
import { erasePersonalData } from "../../../src/domain/privacy/erase-personal-data.ts";
import { deriveColumns } from "../../../src/domain/profiles/rules.ts";
import { ctxOn } from "../../support/ctx.ts";
import { libsqlFile } from "../../support/libsql-file.ts";

/** A database of libSQL with an account: it must take the SQL that Workers run on D1 (test/edges/webhooks) as well. */
async function opened() {
  const { db } = await libsqlFile();
  const now = new Date().toISOString();
  const { account } = await createAccount(
    db,
    { shop: "shop.example", timezone: "UTC", currency: "EUR" } as Parameters<typeof createAccount>[1],
    now,
  );
  const id = newId();
  const values = {
    email: "cy@customers.test",
    first_name: "Cy",
    last_name: null,
    phone_number: null,
    external_id: null,
    store_customer_id: "1",
    ...{ postal_code: null, city: null },
  };
  const profile = {
    id,
    account_seq: account.seq,
    revision: 1,
    ...values,
    ...deriveColumns(values),
    created_at: now,
    updated_at: now,
  };
  await commit({ db }, insertRows("profiles", [profile]));
  return { db, account, id };
}

test("tables, their keys and references are read as they are, those that refer first", async () => {
  const { db } = await opened();
  const schema = new DatabaseSync(":memory:");
  for (const migration of migrationTexts()) schema.exec(migration);
  const withAccount = schema
    .prepare(
      `SELECT m.name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c ON c.name = 'account_seq'
        WHERE m.type = 'table' ORDER BY m.name`,
    )
    .all() as { name: string }[];
  const tables = await accountTables(db);
  expect(tables.map(({ name }) => name).sort()).toEqual(withAccount.map(({ name }) => name));
  for (const [place, { name, refersTo }] of tables.entries())
    for (const other of refersTo.filter((one) => one !== name && one !== "accounts"))
      expect(
        tables.findIndex((table) => table.name === other),
        `${name} → ${other}`,
      ).toBeGreaterThan(place);
});

test("rows are deleted so many at a time, until there are none", async () => {
  const { db, account } = await opened();
  for (const table of await accountTables(db)) {
    const [deleted] = await commit({ db }, [deleteSome(table, account.id, 1)]);
    expect(deleted!.rows.length, table.name).toBeLessThanOrEqual(1);
    const left: Row[] = await rows(db, {
      sql: `SELECT 1 FROM "${table.name}" WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)`,
      params: [account.id],
    });
    expect(left, table.name).toEqual([]);
  }
});

test("personal data is erased", async () => {
  const { db, account, id } = await opened();
  await erasePersonalData(ctxOn(db, account), id);
  const [profile] = await rows(db, raw<Row>("SELECT * FROM profiles WHERE id = ?", id));
  expect(profile).toMatchObject({
    email: `redacted-${id}@redacted.invalid`,
    first_name: null,
    store_customer_id: null,
  });
});
