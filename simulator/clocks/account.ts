import { insertAccount } from "../../src/base/accounts/actions.ts";
import { readAccount } from "../../src/base/accounts/queries.ts";
import { defaultSettings } from "../../src/base/accounts/settings.ts";
import type { Account } from "../../src/base/accounts/tables.ts";
import { commit } from "../../src/base/db/commit.ts";
import type { Db } from "../../src/base/db/port.ts";
import { insertRow } from "../../src/base/db/row-writes.ts";
import { DomainError } from "../../src/base/errors.ts";
import { dateIn } from "../../src/base/lib/dates.ts";
import { profiles } from "../../src/domain/profiles/tables.ts";
import { sellingPlans } from "../../src/domain/selling-plans/tables.ts";
import { createSubscriptions } from "../../src/domain/subscriptions/actions/create.ts";
import { type Ctx, openCtx } from "../../src/kit/context.ts";
import type { Received } from "../asides/aside.ts";
import { plusDays } from "../calendar.ts";
import { runToEnd, start } from "../invocations.ts";
import { worldWith } from "../neighbours.ts";
import { dbOf, env } from "../ports.ts";
import { queuesOf } from "../queues.ts";
import type { Task } from "../task.ts";
import { instantOf, type World } from "../world.ts";

/** A subscription of an account with a test clock, and on which day it is first billed and delivered. */
export type Sold = { id: string; first: string };

/** A further account with a test clock, on the sandbox store: its charges are in the database, as where somebody tries the service out. */
export type ClockAccount = {
  /** The world as it sees it: its commits must change no other account. */
  world: World;
  open: (task: Task, actor: Ctx["actor"]) => Promise<Ctx>;
  /** Works on one of its messages. */
  receive: (task: Task, work: (ctx: Ctx) => Promise<void>) => Received;
  /** Nobody changes it: it is billed every other day. */
  regular: Sold;
  /** Its card is declined. */
  declined: Sold;
  /** People change it. */
  changed: Sold;
};

export const timezone = "America/New_York";
export const retryDays = [1, 3, 7];

export async function createClockAccount(
  from: World,
  afterWrite: (actor: Ctx["actor"]) => Promise<void>,
): Promise<ClockAccount> {
  const { database, newId } = from;
  const [id, now] = [newId(), instantOf(from)];
  const stamps = { created_at: now, updated_at: now };
  const settings = { ...defaultSettings, engine: database.engine, store: "sandbox" as const, timezone };
  const account = {
    ...{ ...settings, ...stamps, id, name: id, shop: `${id}.myshopify.com`, currency_code: "USD" },
    ...{ dunning_retry_days: JSON.stringify(retryDays), clock_at: now },
  };
  const [inserted] = await commit({ db: database }, [insertAccount(account)]);
  const seq = inserted.rows[0]!.seq;
  const world = worldWith(from, { account: { ...account, seq } as Account });
  const dbFor = (task: Task, actor: Ctx["actor"]) =>
    watched(from, dbOf(world, task), () => afterWrite(actor));
  const open = async (task: Task, actor: Ctx["actor"], db = dbFor(task, actor)): Promise<Ctx> => {
    const found = await readAccount(db, id);
    if (!found) throw new Error(`No account ${id}`);
    const surroundings = { ...env, ...queuesOf(world, task) };
    const parts = { env: surroundings, db, account: found, actor, log: () => {} };
    return { ...(await openCtx({ ...parts, realNow: new Date(from.clock) })), newId };
  };
  const profile = newId();
  const common = { account_seq: seq, ...stamps };
  const email = "kim@customers.test";
  await commit({ db: database }, [
    insertRow(profiles, {
      ...{
        ...common,
        id: profile,
        revision: 1,
        email,
        email_folded: email,
        search_identity: "",
        search_other: "",
      },
      ...{ address1: "1 High Street", city: "Springfield", postal_code: "12345", country: "United States" },
      country_code: "US",
    }),
    insertRow(sellingPlans, { ...common, ...everyOtherDay }),
  ]);
  const sold: Sold[] = [];
  for (const method of ["pm_card_visa", "pm_card_declined", "pm_card_visa"]) {
    const first = plusDays(dateIn(now, timezone), 1 + from.choices.below(4));
    const line = { store_product_id: "31001", store_variant_id: "41001", product_title: "Kibble" };
    const lines = [{ ...line, selling_plan_id: everyOtherDay.id, price: 10, quantity: 1 }];
    const request = {
      profile_id: profile,
      store_payment_method_id: method,
      next_delivery_date: first,
      lines,
    };
    await start(
      from,
      "setup of a test clock",
      async (task) => {
        const ctx = await open(task, { type: "api", name: "Setup" });
        const { ids } = await createSubscriptions(ctx, { dryRun: false, request });
        sold.push({ id: ids[0]!, first });
      },
      () => {},
    );
    await runToEnd(from);
  }
  const [regular, declined, changed] = sold as [Sold, Sold, Sold];
  const receive: ClockAccount["receive"] = (task, work) => {
    const db = dbFor(task, system);
    return { db, run: async () => work(await open(task, system, db)) };
  };
  return { world, open, receive, regular, declined, changed };
}

const system = { type: "system", name: null } as const;

export const billedEveryDays = 2;

const everyOtherDay = {
  id: "every-other-day",
  name: "Every other day",
  ...{ billing_interval: "DAY" as const, billing_interval_count: billedEveryDays },
  ...{ delivery_interval: "DAY" as const, delivery_interval_count: billedEveryDays },
  shipping_amount: 0,
  is_active: 1 as const,
};

/** A database whose failures are classed as the Worker's own are, and after each write of which something is looked at. */
function watched({ injected }: World, db: Db, afterWrite: () => Promise<void>): Db {
  return {
    engine: db.engine,
    usage: db.usage,
    async batch(statements, mode) {
      try {
        return await db.batch(statements, mode);
      } catch (error) {
        const isOutage = typeof error === "object" && error !== null && injected.has(error);
        throw isOutage ? new DomainError("UNAVAILABLE", "The database is not reachable, try again") : error;
      } finally {
        if (mode === "write") await afterWrite();
      }
    },
  };
}
