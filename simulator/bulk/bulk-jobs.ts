import { first, raw } from "../../src/base/db/statement.ts";
import { addDays } from "../../src/base/lib/time/calendar.ts";
import type { BulkAction } from "../../src/domain/bulk/actions.ts";
import { createBulk } from "../../src/domain/bulk/create.ts";
import { type JobOperation, moveJob } from "../../src/domain/merchant-jobs/transitions.ts";
import { changeInstructions } from "../../src/domain/subscriptions/actions/instructions.ts";
import type { Ctx } from "../../src/kit/context.ts";
import { slotsWithAnother } from "../accounts/slot.ts";
import { spawn } from "../kernel/invocations.ts";
import { untilDone } from "../kernel/until-done.ts";
import { instantOf, type Part, type World } from "../kernel/world.ts";
import { checkJobs } from "./check-jobs.ts";

/**
 * Staff change the account's subscription by bulk jobs among rows of ids that nobody has, pause, resume, cancel and undo them, and customers
 * change it meanwhile, while the messages that work on the jobs crash, are lost or come twice.
 */
export async function bulkJobs(world: World): Promise<Part> {
  const { choices, subscriptionId } = world;
  const slots = await slotsWithAnother(world);
  let left = 4 + choices.below(10);
  let isActive = false;
  let texts = 0;

  const ask = (name: string, work: (ctx: Ctx) => Promise<unknown>): Promise<void> => {
    world.count("requests about bulk jobs");
    return spawn(world, name, { type: "admin", name: "Ada" }, untilDone(world, work));
  };

  const inputs = {
    set_instructions: () => ({ delivery_instructions: `job ${++texts}` }),
    skip_deliveries: () => ({ count: 1 }),
    pause: () => ({}),
    reschedule: () => ({ next_delivery_date: addDays(instantOf(world).slice(0, 10), 1 + choices.below(20)) }),
    move_slot: () => ({ from_slot_id: slots[0], to_slot_id: choices.pick(slots.slice(1)) }),
    cancel: () => ({}),
    change_price: () => ({
      ...{ store_variant_id: "41001", price: 8 + choices.below(8) },
      ...(choices.chance(500)
        ? { from_cycle: 1 + choices.below(12) }
        : { effective_on: addDays(instantOf(world).slice(0, 10), 1 + choices.below(60)) }),
    }),
  };

  const begin = (): Promise<void> => {
    const action = choices.pick(actions);
    const others = Array.from({ length: choices.pick([0, 3, 27]) }, () => world.newId());
    const at = choices.below(others.length + 1);
    const ids = [...others.slice(0, at), subscriptionId, ...others.slice(at)];
    const input = inputs[action]();
    const notice_days = action === "change_price" ? 0 : undefined;
    const isDryRun = choices.chance(100);
    return ask(`bulk ${action}`, (ctx) => createBulk(ctx, { action, input, ids, notice_days }, isDryRun));
  };

  const move = async (): Promise<void> => {
    const operation = choices.pick(operations);
    const job = await first(world.database, latestJob(world));
    if (!job) return begin();
    const request = { id: job.id, operation, authorize: () => {} };
    return ask(`${operation} a job`, (ctx) => moveJob(ctx, request));
  };

  /** A customer's own words, by which an undoing is to know that the job's are gone. */
  const write = (): Promise<void> => {
    const request = `customer ${++texts}`;
    return ask("instruct by a customer", (ctx) => changeInstructions(ctx, { id: subscriptionId, request }));
  };

  return {
    acts: [
      {
        name: "bulk jobs",
        weight: (_, isBusy) => (left > 0 ? (isBusy ? 8 : 16) : 0),
        async act() {
          left--;
          const kind = choices.weighted([
            ["begin", 8],
            ["move", 8],
            ["write", 4],
          ] as const);
          if (kind === "begin") return begin();
          return kind === "move" ? move() : write();
        },
      },
    ],

    async arrive() {
      isActive = (await first(world.database, activeJob(world))) !== undefined;
    },
    nextAt: () => (isActive ? world.clock : undefined),
    dueAt: ["SELECT MIN(next_action_at) FROM jobs WHERE account_seq = ?1"],
    check: () => checkJobs(world),
  };
}

const actions = [
  "set_instructions",
  "set_instructions",
  "skip_deliveries",
  "pause",
  "change_price",
  ...(["reschedule", "reschedule", "move_slot", "cancel"] as const),
] as const satisfies BulkAction[];
const operations = ["pause", "resume", "cancel", "undo", "undo", "undo"] as const satisfies JobOperation[];

function latestJob({ account }: World) {
  return raw<{ id: string }>(
    "SELECT id FROM jobs WHERE account_seq = ? AND kind = 'BULK' ORDER BY created_at DESC, id DESC LIMIT 1",
    account.seq,
  );
}

/** A job that the next message, or the sweep, is to work on by now. */
function activeJob(world: World) {
  return raw<{ id: string }>(
    "SELECT id FROM jobs WHERE account_seq = ? AND kind = 'BULK' AND next_action_at <= ? LIMIT 1",
    ...[world.account.seq, instantOf(world)],
  );
}
