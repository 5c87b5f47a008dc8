import { afterRestore } from "../../src/edges/operator/after-restore.ts";
import { type Commands, everyDatabase, recordsOf } from "./command.ts";

export const afterRestoreCommands: Commands = {
  "after-restore": {
    takes: ["shop", "account"],
    async run(db, values) {
      if (values.shop !== undefined || values.account !== undefined) {
        const { db: its, account } = await recordsOf(db, values);
        return [{ accounts: await afterRestore(its, account.id) }];
      }
      let accounts = 0;
      for (const its of await everyDatabase(db, values)) accounts += await afterRestore(its);
      return [{ accounts }];
    },
  },
};
