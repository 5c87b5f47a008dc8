import { readBooks } from "./books.ts";
import { judgeContracts } from "./shopify/verdict.ts";
import { judgeHistory } from "./verdict-history.ts";
import { judgeMoney } from "./verdict-money.ts";
import { judgePrepaid } from "./verdict-prepaid.ts";
import { judgeState } from "./verdict-state.ts";
import type { World } from "./world.ts";

/** Holds what a schedule has come to against what must be so, whatever has happened. */
export const judge = async (world: World): Promise<void> => {
  const books = await readBooks(world);
  judgeMoney(world, books);
  judgePrepaid(world, books);
  judgeState(world, books);
  judgeHistory(world, books);
  if (world.shopify) judgeContracts(world, world.shopify, books);
};
