import { getTableColumns } from "drizzle-orm";
import { newId } from "../../src/base/lib/ids.ts";
import { subscriptions } from "../../src/domain/subscriptions/tables.ts";
import { execute } from "./database.ts";
import { aContract } from "./shops.ts";

/** Copies of a subscription, each with an id, a number and a contract of its own; returns their ids. */
export async function copiesOf(id: string, count: number): Promise<string[]> {
  const copies = Array.from({ length: count }, () => ({ id: newId(), contract: aContract() }));
  await execute(
    `INSERT INTO subscriptions (id, number, store_contract_id, ${shared.join(", ")})
      SELECT copy.value ->> 'id', -(copy.value ->> 'contract'), copy.value ->> 'contract', ${shared.join(", ")}
      FROM json_each(?) AS copy CROSS JOIN subscriptions WHERE subscriptions.id = ?`,
    JSON.stringify(copies),
    id,
  );
  return copies.map((copy) => copy.id);
}

const own = ["id", "seq", "number", "store_contract_id"];
const shared = Object.keys(getTableColumns(subscriptions)).filter((name) => !own.includes(name));
