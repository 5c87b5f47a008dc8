import { raw, rows } from "../../src/base/db/statement.ts";
import type { World } from "../world.ts";

/** Everything that a taken webhook asks for is done, whatever was lost, came twice or crashed. */
export async function checkWebhooks({ database, account, report }: World): Promise<void> {
  const open = raw<{ topic: string; subject: string; tries: number }>(
    "SELECT topic, subject, tries FROM webhook_deliveries WHERE account_seq = ? AND done_at IS NULL",
    account.seq,
  );
  for (const { topic, subject, tries } of await rows(database, open))
    report("what a webhook asks for is done", `${topic} of ${subject} is not, after ${tries} tries`);
}
