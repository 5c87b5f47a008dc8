import { holdsJobs } from "../../src/base/accounts/moving.ts";
import { readEntry } from "../../src/base/accounts/queries.ts";
import { finishMoves } from "../../src/edges/operator/move/finish.ts";
import type { Ctx } from "../../src/kit/context.ts";
import { sendDueJobs } from "../../src/runtime/jobs/tick.ts";
import { dbAt } from "../kernel/ports.ts";
import type { Task } from "../kernel/task.ts";
import type { World } from "../kernel/world.ts";
import { openObject } from "./enter.ts";
import { homesOf } from "./homes.ts";
import { portsOf } from "./ports.ts";

/** Cron's part, and that of the alarm of the account's object, which first asks the directory whether it serves the account. */
export async function tickBoth(
  world: World,
  task: Task,
  { send, log }: Pick<Ctx, "send" | "log">,
): Promise<void> {
  const [homes, { account }] = [homesOf(world)!, world];
  const now = new Date(world.clock);
  const d1 = dbAt(world, task, homes.d1);
  await sendDueJobs({ db: d1, now, send, log });
  await finishMoves({ directory: d1, portsOf: () => portsOf(world, task), now, log });
  const entry = await readEntry(d1, { id: account.id });
  if (entry?.engine !== "object" || holdsJobs(entry)) return;
  const object = dbAt(world, task, homes.object);
  await openObject(world, object, entry);
  await sendDueJobs({ db: object, now, send, log });
}
