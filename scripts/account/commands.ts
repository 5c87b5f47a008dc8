import { accountCommands } from "./accounts.ts";
import { afterRestoreCommands } from "./after-restore.ts";
import { attemptCommands } from "./attempts.ts";
import type { Commands } from "./command.ts";
import { deleteCommands } from "./delete.ts";
import { exportCommands } from "./export.ts";
import { importCommands } from "./import.ts";
import { keyCommands } from "./keys.ts";
import { moveCommands } from "./move.ts";
import { reconcileCommands } from "./reconcile.ts";
import { restoreCommands } from "./restore.ts";
import { shopifyCommands } from "./shopify.ts";
import { staffCommands } from "./staff.ts";

/** Each subcommand by its name. */
export const commands: Commands = {
  ...accountCommands,
  ...moveCommands,
  ...exportCommands,
  ...importCommands,
  ...restoreCommands,
  ...afterRestoreCommands,
  ...deleteCommands,
  ...keyCommands,
  ...staffCommands,
  ...shopifyCommands,
  ...attemptCommands,
  ...reconcileCommands,
};
