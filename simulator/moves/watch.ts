import type { Row } from "../../src/base/db/port.ts";
import { findTables } from "../../src/edges/operator/move/copy.ts";
import type { Database } from "../kernel/database.ts";
import type { World } from "../kernel/world.ts";
import { homesOf } from "./homes.ts";

/** The account changes its engine with every row that it has. */
export function watchMoves(world: World): void {
  const homes = homesOf(world)!;
  homes.onSwitch = async (to) => {
    homes.switchedAt = world.clock;
    world.count("moves");
    const [here, there] = [await rowsAt(homes.d1, world), await rowsAt(homes.object, world)];
    for (const [table, rows] of Object.entries(here))
      if (JSON.stringify(rows) !== JSON.stringify(there[table]))
        world.report("an account moves whole", `${table} differs as the account comes to ${to}`);
  };
}

/** The rows of the account in a database, by table. */
export async function rowsAt(database: Database, { account }: World): Promise<Record<string, Row[]>> {
  const found: Record<string, Row[]> = {};
  for (const { name, columns, key } of await findTables(database)) {
    const sql = `SELECT ${columns.map((column) => `"${column}"`).join(", ")} FROM "${name}"
      WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) ${key.length > 0 ? `ORDER BY ${key.join(", ")}` : ""}`;
    const [result] = await database.batch([{ sql, params: [account.id] }], "read");
    found[name] = result?.rows ?? [];
  }
  return found;
}
