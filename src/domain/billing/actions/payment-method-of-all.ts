import type { z } from "@hono/zod-openapi";
import { and, eq, inArray } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { requireWithinLimit } from "../../../base/accounts/limits.ts";
import { requirePermission } from "../../../base/accounts/portal-settings.ts";
import type { AccountSeq } from "../../../base/db/columns.ts";
import { retryOnConflict } from "../../../base/db/retry-on-conflict.ts";
import { build, columnsEqual, type Params, prepare, type RowsBy } from "../../../base/db/statement.ts";
import type { Ctx } from "../../../kit/context.ts";
import { commitStatements } from "../../../kit/journal/write.ts";
import { selectCurrentEpisodes } from "../../retries/current-episodes.ts";
import {
  type CommandWith,
  type PreparedChange,
  prepareChange,
} from "../../subscriptions/actions/change-subscription.ts";
import { selectAttemptsOfHourOfAll } from "../../subscriptions/bounds/hourly-limit.ts";
import { findSubscriptionsAnd, getSubscriptionAnd } from "../../subscriptions/queries.ts";
import type { PaymentMethodChange } from "../../subscriptions/requests.ts";
import { type Subscription, subscriptions } from "../../subscriptions/tables.ts";
import { selectLatestAttempts } from "../queries.ts";
import type { BillingAttempt } from "../tables.ts";
import type { KnownForSwitch } from "./new-method.ts";
import { readMethods, requireMethod, switchMethod } from "./payment-method.ts";

/** The living subscriptions that have the payment method now, and the attempts that the switch starts, or for a dry run would start: that of the named subscription first. */
export type SwitchedAll = { ids: string[]; attempts: BillingAttempt[] };

/**
 * Switches every living subscription of the customer whose subscription this is to one payment method, all or none, each as `changePaymentMethod`
 * does: with an entry of its own, and a try at what it owes.
 */
export function changeAllPaymentMethods(
  ctx: Ctx,
  { id, request }: CommandWith<z.output<typeof PaymentMethodChange>>,
): Promise<SwitchedAll> {
  requirePermission(ctx, "can_change_payment_method");
  return retryOnConflict(async () => {
    const alongside = {
      methods: readMethods(ctx, id, request),
      living: selectLivingBeside({ account_seq: ctx.account.seq, id }),
    };
    const [{ row }, { methods, living }] = await getSubscriptionAnd(ctx, id, alongside);
    const switched = await requireMethod(ctx, row, { request, methods });
    const ids = living.map((each) => each.id);
    const [views, known] = await findSubscriptionsAnd(ctx, ids, readForSwitches(ctx, ids));
    const decisions = await Promise.all(
      views.map((view, nth) =>
        switchMethod(ctx, view, nth === 0 ? switched : { ...switched, writes: [] }, knownOf(view.row, known)),
      ),
    );
    requireWithinLimit(
      ctx,
      decisions.flatMap((decision) => decision?.result ?? []),
    );
    const changes = views.map((view, nth) => prepareChange(ctx, view, decisions[nth] ?? {}));
    await commitAll(ctx, changes);
    const attempts = decisions.flatMap((decision) => decision?.result ?? []);
    const [own, others] = [attempts.filter(isOf(id)), attempts.filter((attempt) => !isOf(id)(attempt))];
    return { ids, attempts: [...own, ...others] };
  }, maxTries);
}

async function commitAll(ctx: Ctx, changes: PreparedChange[]): Promise<void> {
  const statements = changes.flatMap((change) => change.statements);
  const jobs = changes.flatMap((change) => change.jobs);
  if (statements.length > 0) await commitStatements(ctx, statements);
  if (jobs.length > 0) await ctx.send(jobs);
}

function readForSwitches(ctx: Ctx, ids: string[]) {
  return {
    latest: selectLatestAttempts(ctx, ids),
    episodes: selectCurrentEpisodes(ctx, ids),
    recent: selectAttemptsOfHourOfAll(ctx, ids),
  };
}

type Known = RowsBy<ReturnType<typeof readForSwitches>>;

/** Those of the rows that were read that decide on one of the subscriptions. */
function knownOf({ id }: Subscription, { latest, episodes, recent }: Known): KnownForSwitch {
  return {
    latest: latest.filter(isOf(id)),
    episode: episodes.filter(isOf(id)),
    recent: recent.filter(isOf(id)),
  };
}

function isOf(id: string): (one: { subscription_id: string }) => boolean {
  return ({ subscription_id }) => subscription_id === id;
}

/** Some of many subscriptions are changed by others all the time; each try takes two trips to the database, and the commit. */
const maxTries = 10;

const named = alias(subscriptions, "named");

/** The living subscriptions of the profile that this one is of. */
const selectLivingBeside = prepare((p: Params<{ account_seq: AccountSeq; id: string }>) =>
  build
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.account_seq, p("account_seq")),
        eq(subscriptions.profile_id, profileOf(p)),
        inArray(subscriptions.status, ["ACTIVE", "PAUSED", "PAYMENT_FAILED"]),
      ),
    ),
);

function profileOf(p: Params<{ account_seq: AccountSeq; id: string }>) {
  return build
    .select({ profile_id: named.profile_id })
    .from(named)
    .where(columnsEqual(named, p, "account_seq", "id"));
}
