import type { Row } from "../../src/base/db/port.ts";
import { findTables } from "../../src/edges/operator/move/copy.ts";
import type { Task } from "../kernel/task.ts";
import type { Database, World } from "../kernel/world.ts";

/** Whether a database is not the one at which the directory has the account. */
export function isElsewhere({ homes }: World, database: Database): boolean {
  return homes !== undefined && database !== homes.current && database !== homes[homes.engine()];
}

/** Requests and messages write where the account is: elsewhere it would be lost with the copy. */
export function checkWriter({ report }: World, { name, home }: Task): void {
  if (home) report("a write reaches the account where it is", `${name} writes to what was left behind`);
}

/** Whoever asks after the account has moved is shown what it has now. */
export function checkReader({ report, homes }: World, { name, home, bornAt }: Task): void {
  if (home && bornAt > homes!.switchedAt)
    report("nobody is shown what was left behind", `${name} reads a copy that is not the account's`);
}

/** The account changes its engine with every row that it has. */
export function watchMoves(world: World): void {
  const { homes } = world;
  if (!homes) return;
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
