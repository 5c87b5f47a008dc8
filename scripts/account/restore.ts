import { z } from "zod";
import type { Restored } from "../../src/base/accounts/objects.ts";
import { isElsewhere } from "../../src/base/accounts/queries.ts";
import { DomainError } from "../../src/base/errors.ts";
import { ask } from "../storage/door.ts";
import { accountOf, type Commands, checked, doorOf, required } from "./command.ts";

const instant = z.iso.datetime("must be an instant, such as 2026-11-20T12:00:00Z");

export const restoreCommands: Commands = {
  restore: {
    takes: ["shop", "account", "at"],
    async run(db, values) {
      const at = checked(instant, required(values, "at"), "at");
      const account = await accountOf(db, values);
      if (!isElsewhere(db, account))
        throw new DomainError(
          "INVALID_STATE",
          `The records of ${account.shop} are in the deployment's database: wrangler d1 time-travel restores it`,
        );
      const restored: Restored = await ask(doorOf(values), "restores", { account_id: account.id, at });
      return [{ account_id: account.id, shop: account.shop, at, ...restored }];
    },
  },
};
