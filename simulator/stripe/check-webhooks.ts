import { raw, read } from "../../src/base/db/statement.ts";
import type { World } from "../kernel/world.ts";
import type { OpenStripe } from "../stores/stripe/opened.ts";

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
  /** A dispute or a refund of a charge that a restore has undone waits for as long as people leave that charge unrecorded. */
  const waitsForOrder = (topic: string, subject: string): boolean => {
    const charge = topic.startsWith("refund.")
      ? subject
      : disputes.entries.find(({ id }) => id === subject)?.payment_intent;
    return (
      restores > 0 && charge !== undefined && orders.every(({ store_order_id }) => store_order_id !== charge)
    );
  };
  for (const { topic, subject, tries } of open)
    if (!waitsForOrder(topic, subject))
      report("what a webhook asks for is done", `${topic} of ${subject} is not, after ${tries} tries`);
}
