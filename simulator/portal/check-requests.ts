import { raw, read } from "../../src/base/db/statement.ts";
import { hourMs } from "../../src/base/lib/time/durations.ts";
import type { World } from "../kernel/world.ts";

type Requested = { loggable_id: string; created_at: string; request_id: string };

/** The mailer is told of at most five requests an hour, of each once, and only of those by an address that the shop knows. */
export async function checkRequests({ database, account, report }: World, profileId: string): Promise<void> {
  const [found] = await read<[Requested]>(database, [
    raw(
      `SELECT loggable_id, created_at, metadata ->> 'request_id' AS request_id FROM activity_logs
        WHERE account_seq = ? AND action = 'portal_login_requested' ORDER BY created_at`,
      account.seq,
    ),
  ]);
  for (const [nth, { created_at }] of found.entries()) {
    const before = found[nth - perHour];
    if (before && Date.parse(created_at) - Date.parse(before.created_at) < hourMs)
      report("links an hour are bounded", `${perHour + 1} from ${before.created_at} to ${created_at}`);
  }
  if (new Set(found.map(({ request_id }) => request_id)).size < found.length)
    report("a request for a link is told once", `${found.length} times`);
  if (found.some(({ loggable_id }) => loggable_id !== profileId))
    report("no answer tells whose address is known", "a link for somebody else was asked for");
}

const perHour = 5;
