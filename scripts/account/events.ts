import { raiseSequences } from "../../src/events/actions.ts";
import type { Commands } from "./command.ts";

export const eventCommands: Commands = {
  "events raise": {
    takes: [],
    async run(db) {
      return [{ accounts: await raiseSequences(db) }];
    },
  },
};
