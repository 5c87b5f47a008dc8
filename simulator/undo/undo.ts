import { first, raw } from "../../src/base/db/statement.ts";
import { undoChange } from "../../src/domain/subscriptions/undo/undo-change.ts";
import type { Ctx } from "../../src/kit/context.ts";
import { spawn } from "../kernel/invocations.ts";
import { untilDone } from "../kernel/until-done.ts";
import type { Part, World } from "../kernel/world.ts";
import { commandOf } from "../subscriptions/workload.ts";
import { newUndoWatch, signatureOf } from "./watch.ts";

/**
 * Customers change their subscription and take that back, at once or days later; two members of staff change it too, and take back what anybody has
 * done, while it is billed.
 */
export async function undo(world: World): Promise<Part> {
  const { choices, subscriptionId: id } = world;
  await openPortal(world);
  const watch = newUndoWatch(world);
  let left = 8 + choices.below(20);

  const ask = (name: string, actor: Ctx["actor"], work: (ctx: Ctx) => Promise<unknown>): Promise<void> => {
    world.count("requests of people who take back");
    return spawn(world, `${name} by ${signatureOf(actor)}`, actor, untilDone(world, work));
  };
  const change = (): Promise<void> => {
    const actor = choices.chance(600) ? customer : choices.pick(staff);
    const [name, n] = [choices.pick(actor === customer ? changes : changesOfStaff), choices.below(4)];
    return ask(`${name} (${n})`, actor, (ctx) => commandOf(name)(ctx, id, n, world));
  };
  const takeBack = (): Promise<void> => {
    const actor = choices.chance(600) ? customer : choices.pick(staff);
    const nth = choices.pick([0, 0, 0, 0, 1]);
    const mayBeUndone = choices.chance(100);
    return ask("take a change back", actor, async (ctx) => {
      const entry = await first(ctx.db, latest(ctx, { id, nth, mayBeUndone }));
      if (entry) await undoChange(ctx, { id, request: { entry_id: entry.id } });
    });
  };

  return {
    acts: [
      {
        name: "take back",
        weight: (_, isBusy) => (left > 0 ? (isBusy ? 10 : 18) : 0),
        act() {
          left--;
          return choices.chance(500) ? change() : takeBack();
        },
      },
    ],
    watch: (of, task) => (of === world ? watch.look(task) : undefined),
    async restored() {
      watch.restored();
    },
  };
}

const customer = { type: "customer", name: null } as const;
const staff = [
  { type: "admin", name: "Ada" },
  { type: "admin", name: "Ben" },
] as const;

/** Each as customers have it in the portal. */
const changes = [
  ...["pause", "pause for days", "resume", "cancel", "reactivate", "skip", "skip-deliveries"],
  ...["change the frequency", "reschedule", "pay with another method"],
];

const changesOfStaff = ["skip", "pause", "pause for days", "resume", "change the price"];

/** The latest change but a number of them that has, mostly, not been undone, among those of this actor if that is a customer. */
function latest(
  { account, actor }: Ctx,
  { id, nth, mayBeUndone }: { id: string; nth: number; mayBeUndone: boolean },
) {
  return raw<{ id: string }>(
    `SELECT log.id FROM activity_logs AS log JOIN undo_images AS image ON image.account_seq = log.account_seq AND image.entry_id = log.id
      WHERE log.account_seq = ?1 AND log.subscription_id = ?2 AND (?3 <> 'customer' OR log.actor_type = 'customer')
        AND (?5 OR image.undone_at IS NULL) ORDER BY log.sequence DESC LIMIT 1 OFFSET ?4`,
    ...[account.seq, id, actor.type, nth, mayBeUndone ? 1 : 0],
  );
}

async function openPortal(world: World): Promise<void> {
  const { account, database } = world;
  const portal = '{"is_enabled":true}';
  Object.assign(account, { portal });
  const write = "UPDATE accounts SET portal = ? WHERE seq = ?";
  await database.batch([raw(write, portal, account.seq)], "write");
}
