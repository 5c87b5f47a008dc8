import type { Platform } from "../port/platform.ts";
import { sandboxStore } from "./adapter.ts";
import * as tables from "./tables.ts";

/** The built-in store, which charges nobody. */
export const sandbox: Platform = {
  traits: {
    keepsContracts: false,
    keepsOrders: false,
    sendsMails: false,
    replacesCards: true,
    keepsMethods: false,
    entersMethods: false,
    checksProvinces: false,
  },
  open:
    async () =>
    ({ db, account, now }) =>
      sandboxStore(db, account.seq, now),
  tables,
};
