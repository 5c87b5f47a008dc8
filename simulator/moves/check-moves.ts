import { readEntry } from "../../src/base/accounts/queries.ts";
import type { World } from "../kernel/world.ts";
import { homesOf } from "./homes.ts";
import { rowsAt } from "./watch.ts";

/** Once a move has ended, nothing is left where the account was. */
export async function checkMoves(world: World): Promise<void> {
  const [homes, { account, report }] = [homesOf(world), world];
  if (!homes) return;
  const entry = await readEntry(homes.d1, { id: account.id });
  if (entry?.moving !== null) report("a move comes to its end", `it stands at ${entry?.moving}`);
  const left = homes.engine() === "d1" ? homes.object : homes.d1;
  for (const [table, rows] of Object.entries(await rowsAt(left, world)))
    if (rows.length > 0) report("a move leaves nothing behind", `${rows.length} rows of ${table}`);
}
