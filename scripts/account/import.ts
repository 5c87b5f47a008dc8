import { shopDomain } from "../../src/base/accounts/rules.ts";
import type { Row } from "../../src/base/db/port.ts";
import type { OriginalPage } from "../../src/edges/operator/move/copy.ts";
import { keyOf, type MovedTable } from "../../src/edges/operator/move/row-statements.ts";
import { ask, type Door } from "../storage/door.ts";
import { inspect, rowsIn } from "./account-file.ts";
import { type Commands, checked, doorOf, engine, required } from "./command.ts";

export const importCommands: Commands = {
  import: {
    takes: ["file", "shop", "engine"],
    async run(_, values, { say }) {
      const file = required(values, "file");
      const { schema, account, rows } = await inspect(file);
      const shop = values.shop === undefined ? account.shop : checked(shopDomain, values.shop, "shop");
      requireOwnShop(account, shop!);
      const to = checked(engine, values.engine ?? account.engine, "engine");
      const door = doorOf(values);
      const begun = { step: "begin", schema, engine: to, account: { ...account, shop } };
      const { run, tables } = await ask<{ run: string; tables: MovedTable[] }>(door, "imports", begun);
      const its = { door, file, tables, run, accountId: String(account.id), say };
      await untilEqual(its);
      await ask(door, "imports", { step: "end", account_id: account.id, run });
      return [{ account_id: account.id, shop, engine: to, rows }];
    },
  },
};

/** The credentials, contracts and orders of a connected account belong to one store. */
function requireOwnShop({ store, shop: own }: Row, shop: string | number): void {
  if (shop !== own && store !== "sandbox")
    throw new Error(`The account is connected to ${own}: it can be imported under that shop alone`);
}

type Import = {
  door: Door;
  file: string;
  tables: MovedTable[];
  run: string;
  accountId: string;
  say: (text: string) => void;
};

/** Rows that triggers make, or that an import which was cut off has left, are put right by another pass. */
const passesMax = 10;

/** Sends all rows again and again, until every one of them is there as the file has it, and no other. */
async function untilEqual(its: Import): Promise<void> {
  for (let pass = 1; pass <= passesMax; pass++) {
    const changed = await sendAll(its);
    its.say(changed === 0 ? "Every row is there" : `${changed} rows written; all are compared again`);
    if (changed === 0) return;
  }
  throw new Error(
    "Some rows are not taken: the account was written while it was exported, so that they do not fit together. Delete what was imported, and export again",
  );
}

async function sendAll({ door, file, tables, run, accountId }: Import): Promise<number> {
  let changed = 0;
  for await (const { table, ...page } of pagesOf(file, tables)) {
    const asked = { step: "page", account_id: accountId, run, table: table.name, ...page };
    changed += (await ask<{ changed: number }>(door, "imports", asked)).changed;
  }
  return changed;
}

type Page = Omit<OriginalPage, "original"> & { table: MovedTable; rows: Row[] };

const rowsMax = 200;
const charactersMax = 400_000;

/** Pages of all tables, also of those of which the file has no rows: the last of a table reaches to its end. */
async function* pagesOf(file: string, tables: MovedTable[]): AsyncGenerator<Page> {
  let [nth, rows, characters]: [number, Row[], number] = [0, [], 0];
  let after: OriginalPage["after"] = null;
  const pageUpTo = (upTo: OriginalPage["upTo"]): Page => {
    const page = { table: tables[nth]!, after, upTo, rows };
    [after, rows, characters] = [upTo, [], 0];
    return page;
  };
  for await (const { table, row } of rowsIn(file)) {
    if (!tables.slice(nth).some(({ name }) => name === table))
      throw new Error(`${file} has rows of ${table}, where no such table is expected`);
    for (; tables[nth]!.name !== table; nth++) yield pageUpTo(null);
    const size = JSON.stringify(row).length;
    if (rows.length === rowsMax || (rows.length > 0 && characters + size > charactersMax))
      yield pageUpTo(keyOf(tables[nth]!, rows.at(-1)!));
    rows.push(row);
    characters += size;
  }
  for (; nth < tables.length; nth++) yield pageUpTo(null);
}
