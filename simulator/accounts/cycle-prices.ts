import { raw, read } from "../../src/base/db/statement.ts";
import { linesOf } from "../../src/domain/subscriptions/row-codec.ts";
import { perAccount } from "../kernel/per-account.ts";
import type { World } from "../kernel/world.ts";
import { look } from "./seen.ts";

/** A line whose price changes with the cycles: its price before the first, the second and so on, the last for good. */
export const pricedByCycleOf = perAccount((): { lineId: string; prices: number[] } | undefined => undefined);

/** A second line, which no command changes but one that drops it. */
export function snack(selling_plan_id: string) {
  return {
    store_product_id: "31003",
    store_variant_id: snackVariant,
    product_title: "Snack",
    selling_plan_id,
    price: 5,
    quantity: 2,
  };
}

/** The second line costs twice as much after its first cycle, and a little more than at first after the third, as a checkout may promise. */
export async function changePricesByCycle(world: World): Promise<void> {
  const { database, account } = world;
  const [[row]] = await read<[{ id: string; lines: string }]>(database, [
    raw("SELECT id, lines FROM subscriptions WHERE account_seq = ?", account.seq),
  ]);
  if (!row) return;
  const lines = linesOf(row).map((line) => {
    if (line.store_variant_id !== snackVariant) return line;
    const { id: lineId, price } = line;
    const [doubled, later] = [2 * price, price + 1];
    pricedByCycleOf.set(world, { lineId, prices: [price, doubled, doubled, later] });
    return {
      ...line,
      price_changes: [
        { in_cycles: 1, price: doubled },
        { in_cycles: 3, price: later },
      ],
    };
  });
  const write = "UPDATE subscriptions SET lines = ? WHERE account_seq = ? AND id = ?";
  await database.batch([raw(write, JSON.stringify(lines), account.seq, row.id)], "write");
  await look(world);
}

const snackVariant = "41003";
