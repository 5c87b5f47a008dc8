import { first, raw } from "../../src/base/db/statement.ts";
import { dateIn } from "../../src/base/lib/time/dates.ts";
import { changeClosedDay, createClosedDay, removeClosedDay } from "../../src/domain/closed-days/actions.ts";
import type { Ctx } from "../../src/kit/context.ts";
import { plusDays } from "../accounts/calendar.ts";
import { slotsWithAnother } from "../accounts/slot.ts";
import { closedDaysOf, newClosedDayHistory } from "../dates/history.ts";
import { spawn } from "../kernel/invocations.ts";
import { untilDone } from "../kernel/until-done.ts";
import { instantOf, type Part, type World } from "../kernel/world.ts";
import { checkEnd } from "./check-end.ts";
import { newClosedDayWatch } from "./watch.ts";

/**
 * Staff close days, change them and open them again, mostly around a date that is to come, for all deliveries or those in a slot, while
 * what follows of it crashes, is lost or comes twice.
 */
export async function closedDays(world: World): Promise<Part> {
  const { choices } = world;
  const history = newClosedDayHistory();
  closedDaysOf.set(world, history);
  const watch = newClosedDayWatch(world, history);
  const slotIds = await slotsWithAnother(world);
  await watch.begin();
  let left = 3 + choices.below(12);

  const ask = (name: string, work: (ctx: Ctx) => Promise<unknown>): Promise<void> => {
    world.count("changes of closed days");
    return spawn(world, name, { type: "admin", name: "Ada" }, untilDone(world, work));
  };

  /** Days around one of the next dates, or some days from now. */
  const pickDays = async (): Promise<{ from: string; to: string }> => {
    const today = dateIn(instantOf(world), world.account.timezone);
    const dates = await nextDatesOf(world);
    const near = dates.length > 0 && choices.chance(750) ? choices.pick(dates) : undefined;
    const from = near ? plusDays(near, choices.pick([0, 0, -1, -2])) : plusDays(today, choices.below(15));
    return { from, to: plusDays(from, choices.pick([0, 0, 1, 2, 6, 20])) };
  };

  const pickTerms = () => ({
    rule: choices.pick(rules),
    applies_to: [...choices.pick(appliesTo)],
    slot_ids: choices.chance(250) ? [choices.pick(slotIds)] : [],
  });

  return {
    acts: [
      {
        name: "closed days",
        weight: (_, isBusy) => (left > 0 ? (isBusy ? 8 : 16) : 0),
        async act() {
          left--;
          const closed = history.now();
          const kind = choices.weighted([
            ["close", 10],
            ["change", closed.length > 0 ? 5 : 0],
            ["open", closed.length > 0 ? 6 : 0],
          ] as const);
          if (kind === "close" || closed.length === 0) {
            const input = { ...(await pickDays()), ...pickTerms(), label: "Closed" };
            return ask(`close ${textOf(input)}`, (ctx) => createClosedDay(ctx, input));
          }
          const { id } = choices.pick(closed);
          if (kind === "open") return ask("open closed days", (ctx) => removeClosedDay(ctx, id));
          const input = choices.chance(500) ? await pickDays() : pickTerms();
          return ask(`change closed days to ${textOf(input)}`, (ctx) => changeClosedDay(ctx, id, input));
        },
      },
    ],

    watch: (_, task) => watch.look(task),
    restored: watch.begin,
    dueAt: ["SELECT MIN(next_action_at) FROM closed_days WHERE account_seq = ?1"],
    check: () => checkEnd(world, history, watch),
  };
}

const rules = ["earlier", "later", "skip"] as const;

const appliesTo = [
  ["delivery", "production", "billing"],
  ["delivery", "production", "billing"],
  ["delivery"],
  ["billing"],
  ["production"],
  ["delivery", "billing"],
] as const;

function textOf(input: { from?: string; to?: string; rule?: string; applies_to?: string[] }): string {
  const { from, to, rule, applies_to } = input;
  const days = from ? [`${from} to ${to}`] : [];
  return [...days, ...(rule ? [`${rule}, for ${applies_to?.join(", ")}`] : [])].join(", ");
}

async function nextDatesOf({ database, account, subscriptionId }: World): Promise<string[]> {
  const row = await first(
    database,
    raw<Record<string, string | null>>(
      "SELECT next_delivery_date, next_billing_date, next_production_date FROM subscriptions WHERE account_seq = ? AND id = ?",
      account.seq,
      subscriptionId,
    ),
  );
  return Object.values(row ?? {}).filter((date) => date !== null);
}
