import { shopDomain } from "../../src/base/accounts/rules.ts";
import { ask, type Door } from "../storage/door.ts";
import { inspect, pagesIn } from "./account-file.ts";
import { type Commands, checked, doorOf, engine, required } from "./command.ts";

export const importCommands: Commands = {
  import: {
    takes: ["file", "shop", "engine"],
    async run(_, values, { say }) {
      const file = required(values, "file");
      const { schema, account, own, rows } = await inspect(file);
      const { id: account_id } = account;
      const shop = values.shop === undefined ? account.shop : checked(shopDomain, values.shop, "shop");
      const to = checked(engine, values.engine ?? account.engine, "engine");
      const door = doorOf(values);
      const { run } = await ask<{ run: string }>(door, "imports", {
        ...{ step: "begin", account_id, schema, engine: to, shop },
        ...own,
      });
      await untilEqual({ door, file, run, account_id: String(account_id), say });
      await ask(door, "imports", { step: "end", account_id, run });
      return [{ account_id, shop, engine: to, rows }];
    },
  },
};

type Import = { door: Door; file: string; run: string; account_id: string; say: (text: string) => void };

/** Rows that triggers make, or that an import which was cut off has left, are put right by another pass. */
const passesMax = 10;

/** Sends all rows again and again, until every one of them is there as the file has it, and no other. */
async function untilEqual({ door, file, run, account_id, say }: Import): Promise<void> {
  for (let pass = 1; pass <= passesMax; pass++) {
    let changed = 0;
    for await (const signed of pagesIn(file)) {
      const asked = { step: "page", account_id, run, ...signed };
      changed += (await ask<{ changed: number }>(door, "imports", asked)).changed;
    }
    say(changed === 0 ? "Every row is there" : `${changed} rows written; all are compared again`);
    if (changed === 0) return;
  }
  throw new Error("Some rows are not taken: delete what was imported, and export again");
}
