import { setTimeout as wait } from "node:timers/promises";
import type { Deleted } from "../../src/edges/operator/deletion.ts";
import { ask } from "../storage/door.ts";
import { type Commands, doorOf, entryOf } from "./command.ts";
import { UsageError } from "./options.ts";

export const deleteCommands: Commands = {
  delete: {
    takes: ["shop", "account", "confirm"],
    async run(db, values, { say }) {
      const { id, shop } = await entryOf(db, values);
      if (values.confirm !== shop)
        throw new UsageError(
          `every record of ${shop} would be deleted for good: export it first, then confirm with --confirm ${shop}`,
        );
      const door = doorOf(values);
      const rows: Deleted["rows"] = {};
      let last: Deleted["step"] | undefined;
      for (;;) {
        const deleted: Deleted = await ask(door, "deletions", { account_id: id, shop });
        if (deleted.step !== last) say(meanings[deleted.step]);
        last = deleted.step;
        for (const [table, count] of Object.entries(deleted.rows)) rows[table] = (rows[table] ?? 0) + count;
        if (deleted.isDone) return [{ account_id: id, shop, deleted: sumOf(rows), rows }];
        await wait(deleted.waitMs);
      }
    },
  },
};

const meanings: Record<Deleted["step"], string> = {
  closed: "Closed: nobody reaches the account any more; its rows are deleted in half a minute",
  erasing: "Deleting its rows",
  deleted: "Nothing of it is left",
};

function sumOf(rows: Deleted["rows"]): number {
  return Object.values(rows).reduce((sum, count) => sum + count, 0);
}
