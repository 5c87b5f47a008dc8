import { and, eq, inArray } from "drizzle-orm";
import { startOwed } from "../billing/actions/start.ts";
import type { Ctx } from "../context.ts";
import type { Statement } from "../db/client.ts";
import { decide } from "../db/decide.ts";
import { build, rows, statement } from "../db/statement.ts";
import type { Job } from "../job.ts";
import { changeEach } from "../journal/write.ts";
import { diff } from "../lib/diff.ts";
import { listMethodsOfStore } from "../payment-methods/queries.ts";
import type { PaymentMethod } from "../payment-methods/tables.ts";
import { upsertPaymentMethod } from "../payment-methods/upsert.ts";
import { findProfilesOfCustomer } from "../profiles/queries.ts";
import type { StorePaymentMethod } from "../store/port.ts";
import { subjectOf } from "../subscriptions/actions/change-subscription.ts";
import { getSubscription } from "../subscriptions/queries.ts";
import { subscriptions } from "../subscriptions/tables.ts";

/** How often at most it is asked for and decided anew, where others change the same records meanwhile. */
const mostTries = 8;

const cardOf = ({ brand, last4, exp_month, exp_year }: PaymentMethod) => ({
  brand,
  last4,
  exp_month,
  exp_year,
});
const shownOf = (method: PaymentMethod) => ({ ...cardOf(method), status: method.status });

const differs = (before: object, after: object): boolean =>
  Object.keys(diff({ ...before }, { ...after })).length > 0;

/** The subscriptions that are not over and are paid with a payment method. */
const paidWith = (ctx: Ctx, { id, profile_id }: PaymentMethod): Promise<{ id: string }[]> =>
  rows(
    ctx.db,
    statement(
      build
        .select({ id: subscriptions.id })
        .from(subscriptions)
        .where(
          and(
            eq(subscriptions.account_id, ctx.account.id),
            eq(subscriptions.profile_id, profile_id),
            eq(subscriptions.payment_method_id, id),
            inArray(subscriptions.status, ["ACTIVE", "PAUSED", "PAYMENT_FAILED"]),
          ),
        ),
    ),
  );

/** What a payment method that has changed changes of a subscription: where payment is owed, another card is tried at once. */
const paying = async (ctx: Ctx, id: string, before: PaymentMethod, method: PaymentMethod) => {
  const view = await getSubscription(ctx, id);
  const isReplaced = method.status === "VALID" && differs(cardOf(before), cardOf(method));
  const start = isReplaced ? await startOwed(ctx, { ...view, method }) : undefined;
  const subject = subjectOf(view.row);
  const { brand, last4, status } = method;
  return {
    start,
    change: {
      action: "payment_method_changed" as const,
      subject,
      metadata: { brand, last4, status },
      changes: diff(shownOf(before), shownOf(method)),
      after: { ...start?.columns },
      ownEntries: start ? [{ ...start.entry, subject }] : [],
    },
  };
};

type Kept = { writes: Statement[]; uses: Awaited<ReturnType<typeof paying>>[] };
const nothing: Kept = { writes: [], uses: [] };

/** What is kept already, as the store has it now; what the store knows no more can be paid with no more. */
const keptOn = async (
  ctx: Ctx,
  before: PaymentMethod,
  found: StorePaymentMethod | undefined,
): Promise<Kept> => {
  const gone = {
    ...before,
    store_customer_id: null,
    store_customer_email: null,
    is_default: before.is_default === 1,
    status: "REVOKED",
  } as const;
  const { method, writes } = upsertPaymentMethod(ctx, before.profile_id, found ?? gone, before);
  if (!differs(shownOf(before), shownOf(method))) return nothing;
  const using = await paidWith(ctx, method);
  return { writes, uses: await Promise.all(using.map(({ id }) => paying(ctx, id, before, method))) };
};

/** The profiles of its customer for which it is not kept yet, if it can be paid with. */
const newOwners = async (
  ctx: Ctx,
  found: StorePaymentMethod | undefined,
  kept: PaymentMethod[],
): Promise<string[]> => {
  if (!found?.store_customer_id || found.status === "REVOKED") return [];
  const profiles = await findProfilesOfCustomer(ctx, found.store_customer_id);
  return profiles.map(({ id }) => id).filter((id) => !kept.some(({ profile_id }) => profile_id === id));
};

/** Asked after our own rows have been read, so that what others write meanwhile is never older. Answers what is to be sent. */
const bringUp = async (ctx: Ctx, storeId: string): Promise<Job[]> => {
  const kept = await listMethodsOfStore(ctx, storeId);
  const found = await ctx.store.findPaymentMethod(storeId);
  const owners = await newOwners(ctx, found, kept);
  const parts = await Promise.all(kept.map((before) => keptOn(ctx, before, found)));
  const added = found
    ? owners.map((profileId) => upsertPaymentMethod(ctx, profileId, found, undefined).writes)
    : [];
  const uses = parts.flatMap((part) => part.uses);
  const starts = uses.flatMap(({ start }) => start ?? []);
  const writes = [
    ...parts.flatMap((part) => part.writes),
    ...added.flat(),
    ...starts.flatMap((each) => each.writes),
  ];
  if (writes.length === 0) return [];
  await changeEach(
    ctx,
    uses.map(({ change }) => change),
    writes,
  );
  return starts.flatMap(({ jobs }) => jobs);
};

/** Brings a payment method up to what the store has now, with an entry in each subscription that is paid with it. */
export const refreshPaymentMethod = async (
  ctx: Ctx,
  storePaymentMethodId: string,
): Promise<"done" | "later"> => {
  const jobs = await decide(() => bringUp(ctx, storePaymentMethodId), mostTries);
  if (jobs.length > 0) await ctx.send(jobs);
  return "done";
};
