import { setTimeout as wait } from "node:timers/promises";
import type { Progress } from "../../src/edges/operator/move/state.ts";
import { ask } from "../storage/door.ts";
import { accountOf, type Commands, checked, doorOf, engine, required } from "./command.ts";

export const moveCommands: Commands = {
  move: {
    takes: ["shop", "account", "to"],
    async run(db, values, { say }) {
      const to = checked(engine, required(values, "to"), "to");
      const account = await accountOf(db, values);
      const door = doorOf(values);
      let rows = 0;
      let last: Progress["step"] | undefined;
      for (let cursor: Progress["cursor"]; ; ) {
        const asked = { account_id: account.id, to, ...(cursor ? { cursor } : {}) };
        const progress: Progress = await ask(door, "moves", asked);
        if (progress.step !== last) say(meanings[progress.step]);
        last = progress.step;
        rows = Math.max(rows, progress.rows);
        if (progress.isDone) return [{ account_id: account.id, shop: account.shop, engine: to, rows }];
        await wait(progress.waitMs);
        cursor = progress.cursor;
      }
    },
  },
};

const meanings: Record<Progress["step"], string> = {
  copying: "Copying; the account can be used",
  fenced: "Copying what has changed since; writes are refused meanwhile",
  leaving: "The account is where it is to be; its copy at the other engine is deleted within minutes",
  moved: "Nothing is left to be done",
};
