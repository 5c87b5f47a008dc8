import { insertAccount } from "../../src/base/accounts/actions.ts";
import { defaultSettings } from "../../src/base/accounts/settings.ts";
import type { Account, ForeignAccount } from "../../src/base/accounts/tables.ts";
import { commit } from "../../src/base/db/commit.ts";
import type { Db } from "../../src/base/db/port.ts";
import { insertRow } from "../../src/base/db/row-writes.ts";
import { wrapDb } from "../../src/base/db/wrapped/wrap-db.ts";
import { DomainError } from "../../src/base/errors.ts";
import { dateIn } from "../../src/base/lib/time/dates.ts";
import { profiles } from "../../src/domain/profiles/tables.ts";
import { sellingPlans } from "../../src/domain/selling-plans/tables.ts";
import { createSubscriptions } from "../../src/domain/subscriptions/actions/create.ts";
import { type Ctx, openCtx } from "../../src/kit/context.ts";
import { runToEnd, start } from "../kernel/invocations.ts";
import { dbOf, env } from "../kernel/ports.ts";
import { queuesOf } from "../kernel/queues.ts";
import type { Task } from "../kernel/task.ts";
import { instantOf, type World, worldWith } from "../kernel/world.ts";
import { plusDays } from "./calendar.ts";
import { withoutForecasts } from "./without-forecasts.ts";

/** A subscription of a further account, and on which day it is first billed and delivered. */
export type Sold = { id: string; first: string };

/** An account of an aside, on the sandbox store: its charges are in the database, as where somebody tries the service out. */
export type FurtherAccount = {
  /** The world as it sees it: its commits must change no other account. */
  world: World;
  /** The database as a task of its sees it. */
  dbFor: (task: Task, actor: Ctx["actor"]) => Db;
  /** The context of its actions, with the account as the task knows it. */
  open: (opened: { task: Task; actor: Ctx["actor"]; account: Account; db: Db }) => Promise<Ctx>;
  /** Its subscriptions, each of which is billed every other day. */
  sold: Sold[];
};

type Terms = {
  /** The name of the task that sets it up. */
  setUp: string;
  settings?: Partial<ForeignAccount>;
  /** The payment method of each of its subscriptions. */
  methods: string[];
  /** Called after each write of its own. */
  afterWrite?: (actor: Ctx["actor"]) => Promise<void>;
};

export async function createFurtherAccount(
  from: World,
  { setUp, settings = {}, methods, afterWrite = async () => {} }: Terms,
): Promise<FurtherAccount> {
  const { database, newId } = from;
  const [id, now] = [newId(), instantOf(from)];
  const stamps = { created_at: now, updated_at: now };
  const account = {
    ...{ ...defaultSettings, engine: database.engine, store: "sandbox" as const, timezone, ...stamps },
    ...{ id, name: id, shop: `${id}.myshopify.com`, currency_code: "USD", ...settings },
  };
  const [inserted] = await commit({ db: database }, [insertAccount(account), withoutForecasts(id)]);
  const seq = inserted.rows[0]!.seq;
  const known = { ...account, seq } as Account;
  const world = worldWith(from, { account: known });
  const dbFor: FurtherAccount["dbFor"] = (task, actor) =>
    watched(from, dbOf(world, task), () => afterWrite(actor));
  const open: FurtherAccount["open"] = async ({ task, ...parts }) => {
    const surroundings = { ...env, ...queuesOf(world, task) };
    const opened = { ...parts, env: surroundings, log: () => {}, realNow: new Date(from.clock) };
    return { ...(await openCtx(opened)), newId };
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
      ...{ address1: "1 High Street", city: "Springfield", region: "New York", postal_code: "12345" },
      ...{ country: "United States", country_code: "US" },
    }),
    insertRow(sellingPlans, { ...common, ...everyOtherDay }),
  ]);
  const sold: Sold[] = [];
  for (const method of methods) {
    const first = plusDays(dateIn(now, timezone), 1 + from.choices.below(4));
    const line = { store_product_id: "31001", store_variant_id: "41001", product_title: "Kibble" };
    const lines = [{ ...line, selling_plan_id: everyOtherDay.id, price: 10, quantity: 1 }];
    const request = {
      profile_id: profile,
      store_payment_method_id: method,
      next_delivery_date: first,
      lines,
    };
    const create = async (task: Task): Promise<void> => {
      const actor = { type: "api", name: "Setup" } as const;
      const ctx = await open({ task, actor, account: known, db: dbFor(task, actor) });
      const { ids } = await createSubscriptions(ctx, { request });
      sold.push({ id: ids[0]!, first });
    };
    await start(from, setUp, create, () => {});
    await runToEnd(from);
  }
  return { world, dbFor, open, sold };
}

export const timezone = "America/New_York";
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
  return wrapDb(db, async (statements, mode) => {
    try {
      return await db.batch(statements, mode);
    } catch (error) {
      const isOutage = typeof error === "object" && error !== null && injected.has(error);
      throw isOutage ? new DomainError("UNAVAILABLE", "The database is not reachable, try again") : error;
    } finally {
      if (mode === "write") await afterWrite();
    }
  });
}
