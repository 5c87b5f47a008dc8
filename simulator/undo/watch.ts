import { raw, rows } from "../../src/base/db/statement.ts";
import { changesOf, type Seen } from "../accounts/seen.ts";
import { todayOf } from "../accounts/today.ts";
import type { Task } from "../kernel/task.ts";
import type { World } from "../kernel/world.ts";

type Entry = {
  id: string;
  action: string;
  undoes: string | null;
  actor_type: string | null;
  actor_name: string | null;
};

/**
 * Looks at a subscription after each commit: a change that is undone is as if it had never been. Each column that it had changed, and that
 * nothing else has changed since, is what it was before; a change is undone once. Dates that have passed may move on, where `movesOn` says so.
 */
export function newUndoWatch(world: World, { movesOn = false } = {}) {
  const { database, account, report, count } = world;
  /** Each change, with its subscription before and after it. */
  const changes = new Map<string, { before: Seen; after: Seen }>();
  const undone = new Set<string>();

  const check = (undoes: string, before: Seen, now: Seen): void => {
    const change = changes.get(undoes);
    if (undone.has(undoes)) report(once, `${undoes} is undone again`);
    undone.add(undoes);
    if (!change) return;
    count("changes undone");
    for (const name of restored) {
      const [was, became] = [change.before[name], change.after[name]];
      if (name.endsWith("_date") && comesBackToday(world, before, change.before)) continue;
      if (movesOn && ofSchedule.includes(name) && hasPassed(world, change.before)) continue;
      if (was !== became && before[name] === became && now[name] !== was)
        report(asBefore, `${name} was ${was}, became ${became}, and is ${now[name]}`);
    }
  };

  return {
    async look(task?: Task): Promise<void> {
      for (const { before, now } of changesOf(world).rows) {
        if (!before || now.entries === before.entries) continue;
        const entries = await rows(database, newest(account.seq, now, now.entries - before.entries));
        for (const { id, action, undoes, ...entry } of entries) {
          const actor = { type: entry.actor_type ?? "system", name: entry.actor_name };
          const [, signature] = / by (\w+:\w*)$/.exec(task?.name ?? "") ?? [];
          if (signature !== undefined && signatureOf(actor) !== signature)
            report(
              "the history names who acted",
              `${action} of ${signature} is that of ${signatureOf(actor)}`,
            );
          if (action === "subscription_change_undone") check(undoes!, before, now);
          else if (entries.length === 1) changes.set(id, { before, after: now });
        }
      }
    },
    restored(): void {
      changes.clear();
      undone.clear();
    },
  };
}

/** Whoever asks, as the name of their task and the entries of the history have them. */
export function signatureOf({ type, name }: { type: string; name: string | null }): string {
  return `${type}:${name ?? ""}`;
}

const asBefore = "what is undone is as before";
const once = "a change is undone once";

/** Whoever comes back to life is billed tomorrow at the earliest: where that was to be today, the dates are others. */
function comesBackToday(world: World, ended: Seen, was: Seen): boolean {
  return ended.status !== "ACTIVE" && was.status === "ACTIVE" && was.next_billing_date === todayOf(world);
}

function hasPassed(
  world: World,
  { next_billing_date: billing, next_delivery_date: delivery }: Seen,
): boolean {
  const today = todayOf(world);
  return [billing, delivery].some((date) => date !== null && date <= today);
}

const ofSchedule: readonly string[] = [
  ...["next_index", "next_billed_index", "next_billing_date", "next_delivery_date"],
  ...["anchor_date", "anchor_day"],
];

/** The columns that a change may change, and that are restored with it. */
const restored = [
  "status",
  "activation",
  "next_index",
  "next_billed_index",
  "next_billing_date",
  "next_delivery_date",
  "anchor_date",
  "anchor_day",
  "delivery_interval",
  "delivery_interval_count",
  "delivery_slot_id",
  "delivery_address",
  "delivery_instructions",
  "deliveries_per_billing",
  "lines",
  "payment_method_id",
  "pause_until",
  "restart_billing_date",
  "dunning_episode_id",
] as const;

function newest(seq: number, { id }: Seen, limit: number) {
  return raw<Entry>(
    `SELECT id, action, actor_type, actor_name, metadata ->> 'undoes' AS undoes FROM activity_logs
      WHERE account_seq = ? AND subscription_id = ? ORDER BY sequence DESC LIMIT ?`,
    ...[seq, id, limit],
  );
}
