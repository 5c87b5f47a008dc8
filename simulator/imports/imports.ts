import { readAccount } from "../../src/base/accounts/queries.ts";
import { first, raw } from "../../src/base/db/statement.ts";
import { dateIn } from "../../src/base/lib/time/dates.ts";
import { minuteMs } from "../../src/base/lib/time/durations.ts";
import { createImport } from "../../src/domain/imports/create.ts";
import { releaseImport } from "../../src/domain/imports/release.ts";
import { putPart } from "../../src/domain/imports/stage.ts";
import { moveJob } from "../../src/domain/merchant-jobs/transitions.ts";
import type { Ctx } from "../../src/kit/context.ts";
import { handleJob } from "../../src/runtime/jobs/handle.ts";
import type { Store } from "../../src/stores/port.ts";
import { plusDays } from "../accounts/calendar.ts";
import { billedEveryDays, createFurtherAccount, timezone } from "../accounts/further-account.ts";
import { runToEnd, start } from "../kernel/invocations.ts";
import { unknownOutcomeError } from "../kernel/store.ts";
import type { Task } from "../kernel/task.ts";
import { untilDone } from "../kernel/until-done.ts";
import { instantOf, type Part, type World } from "../kernel/world.ts";
import { commandOf } from "../subscriptions/workload.ts";
import { newImportWatch } from "./watch.ts";

/**
 * A merchant moves one file in by two imports, which are started, paused, released and undone while the messages that work on them crash, are
 * lost or doubled; and pauses some of what was moved in.
 */
export async function imports(world: World): Promise<Part> {
  const { choices } = world;
  const watch = newImportWatch(world);
  const further = await createFurtherAccount(world, {
    setUp: "setup of an account that is moved in",
    methods: [],
    afterWrite: () => watch.look(),
  });
  const { account } = further.world;
  const chargeFrom = plusDays(dateIn(instantOf(world), timezone), 2 + choices.below(9));
  const refs = Array.from({ length: 3 + choices.below(30) }, (_, nth) => `ref-${nth}`);
  let left = 10 + choices.below(20);
  let isOver = false;
  let awayUntil = 0;

  const open = async (task: Task, actor: Ctx["actor"], db = further.dbFor(task, actor)): Promise<Ctx> => {
    const found = await readAccount(db, account.id);
    const ctx = await further.open({ task, actor, account: found!, db });
    return { ...ctx, store: whileThere(ctx.store, () => world.clock >= awayUntil) };
  };

  const ask = (name: string, work: (ctx: Ctx) => Promise<unknown>): Promise<void> => {
    world.count("requests about imports");
    const tried = untilDone(world, work);
    return start(
      world,
      name,
      async (task) => tried(await open(task, merchant)),
      () => {},
    );
  };

  /** Whoever stages a file asks again until it is there, whatever dies. */
  const stage = async (): Promise<string> => {
    let id = "";
    await ask("stage an import", async (ctx) => {
      const request = {
        source: "elsewhere",
        format: "perennial",
        charge_from: chargeFrom,
        past_due: "bill",
      } as const;
      id = (await createImport(ctx, request, false)).id;
      const bytes = Uint8Array.from(new TextEncoder().encode(fileOf(refs, chargeFrom)));
      const part = { id, part: 1, bytes, mediaType: "application/x-ndjson", digest: undefined };
      await putPart(ctx, { ...part, dryRun: false, authorize: () => {} });
    });
    await runToEnd(world);
    return (await isStaged(further.world, id)) ? id : stage();
  };

  const ids = [await stage(), await stage()];
  watch.begin(account, { ids, refs, chargeFrom });

  const move = (id: string, operation: "start" | "pause" | "resume" | "undo"): Promise<void> =>
    ask(`${operation} an import`, (ctx) =>
      moveJob(ctx, { id, operation, commit: true, authorize: () => {} }),
    );

  const release = (id: string, some?: string[]): Promise<void> =>
    ask("release an import", (ctx) => releaseImport(ctx, { id, refs: some }));

  /** The next step of an import to its end. */
  const goOn = async (id: string): Promise<void> => {
    const status = await watch.statusOf(id);
    if (status === "STAGING" || status === "READY") return move(id, "start");
    if (status === "PAUSED") return move(id, "resume");
    if (status === "DONE" && (await watch.isHeld(id))) return release(id);
  };

  return {
    account: {
      id: account.id,
      receive: (task, job) => {
        const db = further.dbFor(task, system);
        const run = async () => {
          const ctx = await open(task, system, db);
          return handleJob({ ...ctx, newId: world.newId }, job);
        };
        return { db, run };
      },
    },
    acts: [
      {
        name: "imports",
        weight: (_, isBusy) => (left > 0 ? (isBusy ? 8 : 16) : 0),
        async act() {
          left--;
          const id = choices.pick(ids);
          const kind = choices.weighted([
            ["go on", 10],
            ["pause the job", 2],
            ["undo", 2],
            ["release some", 2],
            ["change", 8],
            ["the store goes away", awayUntil === 0 ? 3 : 0],
          ] as const);
          if (kind === "go on") return goOn(id);
          if (kind === "undo") return move(id, "undo");
          if (kind === "pause the job") return move(id, "pause");
          if (kind === "the store goes away") {
            world.log(() => "THE STORE of the account that is moved in IS AWAY for half an hour");
            world.count("stores that were away");
            awayUntil = world.clock + 30 * minuteMs;
            return goOn(id);
          }
          if (kind === "release some") return release(id, [choices.pick(refs), choices.pick(refs)]);
          const made = await watch.made();
          if (made.length === 0) return;
          const [subscription, name, n] = [choices.pick(made), choices.pick(changes), choices.below(4)];
          return ask(`${name} (${n}) what was moved in`, (ctx) =>
            commandOf(name)(ctx, subscription, n, further.world),
          );
        },
      },
    ],

    async end() {
      awayUntil = 0;
    },
    async arrive() {
      if (isOver) return;
      for (const id of ids) {
        await goOn(id);
        await runToEnd(world);
      }
      isOver = await watch.isSettled();
    },
    nextAt: () => (isOver ? undefined : world.clock),
    check: () => watch.checkEnd(),
  };
}

/** Each verb that may bring a charge forward, and what else may have changed before an import is undone. */
const changes = [
  ...["pause", "pause", "resume", "reactivate", "cancel", "skip", "reschedule", "reschedule", "ship now"],
  ...["ship later, or again", "change the frequency", "unskip"],
];

/** A store that does not answer whatever it is asked while it is away. */
function whileThere(store: Store, isThere: () => boolean): Store {
  const ask = (target: Store, name: string | symbol) => {
    const found = Reflect.get(target, name);
    if (typeof found !== "function") return found;
    return (...asked: unknown[]) =>
      isThere() ? found.apply(target, asked) : Promise.reject(unknownOutcomeError());
  };
  return new Proxy(store, { get: ask });
}

async function isStaged({ database, account }: World, id: string): Promise<boolean> {
  const sql = "SELECT 1 FROM import_parts WHERE account_seq = ? AND job_id = ?";
  return (await first(database, raw(sql, account.seq, id))) !== undefined;
}

const merchant = { type: "api", name: "Key" } as const;
const system = { type: "system", name: null } as const;

/** A row for each ref, billed from charge_from on, and one that would be charged before. */
function fileOf(refs: string[], chargeFrom: string): string {
  const row = (subscription_ref: string, next_billing_date: string) => ({
    ...{ subscription_ref, next_billing_date, email: `${subscription_ref}@customers.test` },
    ...{
      billing_interval: "DAY",
      billing_interval_count: billedEveryDays,
      store_product_id: "31001",
      price: 10,
    },
    store_payment_method_id: "pm_card_visa",
  });
  const rows = refs.map((ref, nth) => row(ref, plusDays(chargeFrom, nth % 3)));
  return [...rows, row("too-early", plusDays(chargeFrom, -1))]
    .map((one) => `${JSON.stringify(one)}\n`)
    .join("");
}
