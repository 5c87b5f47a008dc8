import { and, eq, sql } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { commit } from "../../base/db/commit.ts";
import type { Statement } from "../../base/db/port.ts";
import { build, first, type Params, prepare, statement } from "../../base/db/statement.ts";
import type { Job } from "../../base/job.ts";
import { later, nextNight } from "../../base/lib/time/dates.ts";
import { hourMs, minuteMs } from "../../base/lib/time/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import { defineSweep } from "../../kit/outbox/sweep.ts";
import { allConnections } from "../../stores/platforms.ts";
import { StoreRefusalError, UnknownOutcomeError } from "../../stores/port.ts";
import { shopifyConnections as connections } from "../../stores/shopify/tables.ts";
import { insertAllPlansDue } from "../selling-plans/outbox.ts";
import { type ContractPass, lookAtPage, nextFrom, readPass } from "./contract-pass.ts";
import { lookAgainAtUnsupported } from "./contracts.ts";
import { refreshScopes } from "./scopes.ts";
import { importSellingPlans } from "./selling-plans.ts";

/**
 * Has a store that was connected send its webhooks here and sell our plans, in this order; then looks at its contracts, a page a
 * minute, for those that nobody here knows, and again at those that could not be taken over. All of that is done each night again, but
 * plans: the store deletes registrations whose webhooks have failed, and a webhook may be lost. A refusal of the store is logged, and
 * all of it tried again in an hour; without an answer cron has it done again.
 */
export async function setUpStore(ctx: Ctx): Promise<void> {
  const account_id = ctx.account.id;
  if (ctx.store.keepWebhooks) return keepWebhooks(ctx, ctx.store.keepWebhooks);
  const connection = await first(ctx.db, selectConnection({ account_seq: ctx.account.seq }));
  if (!connection || connection.next_action_at === null) return;
  try {
    const { contracts_from, contracts_pass } = connection;
    const begun = contracts_pass === null ? await beginPass(ctx, connection) : readPass(contracts_pass);
    const pass = begun.is_listed ? begun : await lookAtPage(ctx, contracts_from, begun);
    const isLast = pass.is_listed && (await lookAgainAtUnsupported(ctx, pass.begun_at));
    const after = isLast
      ? { ...endPass(ctx, connection, pass), contracts_pass: null }
      : { contracts_pass: JSON.stringify(pass), next_action_at: later(ctx.realNow, minuteMs) };
    await commit({ db: ctx.db }, [updateConnection(connection, after)]);
  } catch (error) {
    if (error instanceof StoreRefusalError) {
      ctx.log("store_not_set_up", { alert: true, account_id, cause: error.message });
      const again = { contracts_pass: null, next_action_at: later(ctx.realNow, hourMs) };
      await commit({ db: ctx.db }, [updateConnection(connection, again)]);
    } else if (error instanceof UnknownOutcomeError)
      ctx.log("store_outcome_unknown", { account_id, cause: error.message });
    else throw error;
  }
}

/** Stores that are to be set up or looked at again. Reads across accounts, as cron does. */
export const setUpSweeps = allConnections.map(({ table }) =>
  defineSweep({ table, id: "account_seq", size: 100 }, setUpJob),
);

function setUpJob({ account_id }: { account_id: string }): Job {
  return { type: "set_up_store", account_id };
}

/** The webhooks of a store without an app. Without its answer, or where it refuses, cron has it done again. */
async function keepWebhooks(ctx: Ctx, keep: () => Promise<void>): Promise<void> {
  const account_id = ctx.account.id;
  await keep().catch((error) => {
    if (error instanceof StoreRefusalError)
      ctx.log("store_not_set_up", { alert: true, account_id, cause: error.message });
    else if (error instanceof UnknownOutcomeError)
      ctx.log("store_outcome_unknown", { account_id, cause: error.message });
    else throw error;
  });
}

type Connection = typeof connections.$inferSelect;

/** Begins a pass with the work that is done once for each, before its first page. */
async function beginPass(ctx: Ctx, { contracts_from }: Connection): Promise<ContractPass> {
  await refreshScopes(ctx);
  const is_refused = await registerWebhooks(ctx);
  if (!is_refused && contracts_from === null) await offerPlans(ctx);
  return { begun_at: ctx.realNow, after: null, found: 0, is_listed: false, is_refused };
}

/** Whether the store refuses a webhook that money depends on. */
async function registerWebhooks(ctx: Ctx): Promise<boolean> {
  const setUp = await ctx.store.setUp?.();
  if (!setUp) return false;
  const account_id = ctx.account.id;
  const { refusal, warnings, registered } = setUp;
  for (const cause of warnings) ctx.log("webhook_not_registered", { account_id, cause });
  if (registered > 0) ctx.log("webhooks_registered", { account_id, webhooks: registered });
  if (refusal) ctx.log("store_not_set_up", { alert: true, account_id, cause: refusal.message });
  return refusal !== null;
}

/** Sends our plans once webhooks come: whatever is sold by them is known by its webhook alone at first. */
async function offerPlans(ctx: Ctx): Promise<void> {
  const account_id = ctx.account.id;
  await importSellingPlans(ctx).catch((error) => {
    if (!(error instanceof StoreRefusalError)) throw error;
    ctx.log("store_not_set_up", { alert: true, account_id, cause: error.message });
  });
  await commit({ db: ctx.db }, [insertAllPlansDue(ctx.account.seq, ctx.realNow)]);
}

/** After a refusal nothing counts as set up, and the same is done in an hour. */
function endPass(ctx: Ctx, { contracts_from }: Connection, pass: ContractPass) {
  if (pass.is_refused) return { contracts_from, next_action_at: later(ctx.realNow, hourMs) };
  const next_action_at = nextNight(ctx.realNow, ctx.account.timezone, nightHour);
  return { contracts_from: nextFrom(contracts_from, pass), next_action_at };
}

/** Before the store's charges are compared (billing/reconcile/nightly.ts). */
const nightHour = 2;

const selectConnection = prepare((p: Params<{ account_seq: AccountSeq }>) =>
  build
    .select()
    .from(connections)
    .where(eq(connections.account_seq, p("account_seq"))),
);

type Recorded = Partial<Pick<Connection, "contracts_from" | "contracts_pass" | "next_action_at">>;

/** Nothing is recorded of an account that was connected anew, sent its webhooks elsewhere, or was looked at by another job since this read it. */
function updateConnection(
  { account_seq, updated_at, webhooks_uri, contracts_pass }: Connection,
  set: Recorded,
): Statement {
  const isAsRead = and(
    eq(connections.account_seq, account_seq),
    eq(connections.updated_at, updated_at),
    sql`${connections.webhooks_uri} IS ${webhooks_uri}`,
    sql`${connections.contracts_pass} IS ${contracts_pass}`,
    sql`${connections.disconnected_at} IS NULL`,
  );
  return statement(build.update(connections).set(set).where(isAsRead));
}
