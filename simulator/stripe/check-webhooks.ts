import { raw, read } from "../../src/base/db/statement.ts";
import type { World } from "../world.ts";
import type { OpenStripe } from "./store.ts";

/** Everything that a taken webhook asks for is done, whatever was lost, came twice or crashed. */
export async function checkWebhooks(
  { database, account, report, restores }: World,
  { disputes }: OpenStripe,
): Promise<void> {
  const [open, orders] = await read<
    [{ topic: string; subject: string; tries: number }, { store_order_id: string | null }]
  >(database, [
    raw(
      "SELECT topic, subject, tries FROM webhook_deliveries WHERE account_seq = ? AND done_at IS NULL",
      account.seq,
    ),
    raw("SELECT store_order_id FROM orders WHERE account_seq = ?", account.seq),
  ]);
  /** A dispute of a charge that a restore has undone waits for as long as people leave that charge unrecorded. */
  const waitsForOrder = (subject: string): boolean => {
    const dispute = disputes.entries.find(({ id }) => id === subject);
    const hasOrder = orders.some(({ store_order_id }) => store_order_id === dispute?.payment_intent);
    return restores > 0 && dispute !== undefined && !hasOrder;
  };
  for (const { topic, subject, tries } of open)
    if (!waitsForOrder(subject))
      report("what a webhook asks for is done", `${topic} of ${subject} is not, after ${tries} tries`);
}
