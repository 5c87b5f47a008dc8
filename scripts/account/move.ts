import { setTimeout as wait } from "node:timers/promises";
import type { Progress } from "../../src/edges/operator/move/state.ts";
import { ask } from "../storage/door.ts";
import { accountOf, type Commands, checked, doorOf, engine, required } from "./command.ts";

export const moveCommands: Commands = {
  move: {
    takes: ["shop", "account", "to", "force", "dry-run"],
    async run(db, values, { say }) {
      const to = checked(engine, required(values, "to"), "to");
      const { id: account_id, shop } = await accountOf(db, values);
      const door = doorOf(values);
      const { force = false, "dry-run": dry_run = false } = values;
      let rows = 0;
      let last: Progress["step"] | undefined;
      for (let cursor: Progress["cursor"]; ; ) {
        const asked = { account_id, to, force, dry_run, ...(cursor ? { cursor } : {}) };
        const progress: Progress = await ask(door, "moves", asked);
        const { step, estimate } = progress;
        if (dry_run) return [{ account_id, shop, engine: to, ...estimate }];
        if (estimate)
          say(`${estimate.rows} rows: writes will be refused for about ${estimate.seconds} seconds`);
        if (step !== last) say(meanings[step]);
        last = step;
        rows = Math.max(rows, progress.rows);
        if (progress.isDone) return [{ account_id, shop, engine: to, rows }];
        await wait(progress.waitMs);
        cursor = progress.cursor;
      }
    },
  },
};

const meanings: Record<Progress["step"], string> = {
  draining: "No job is begun any more; in half a minute, or two if something is under way, the copy begins",
  copying: "Copying; the account can be read, and writes are refused",
  leaving: "The account is where it is to be; its copy at the other engine is deleted within minutes",
  moved: "Nothing is left to be done",
};
