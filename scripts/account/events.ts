import { raiseSequences } from "../../src/domain/events/actions.ts";
import { type Commands, everyDatabase } from "./command.ts";

export const eventCommands: Commands = {
  "events raise": {
    takes: [],
    async run(db, values) {
      let accounts = 0;
      for (const its of await everyDatabase(db, values)) accounts += await raiseSequences(its);
      return [{ accounts }];
    },
  },
};
