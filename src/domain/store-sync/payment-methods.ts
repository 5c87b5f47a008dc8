import { and, eq, inArray } from "drizzle-orm";
import type { Statement } from "../../base/db/port.ts";
import { retryOnConflict } from "../../base/db/retry-on-conflict.ts";
import { build, rows, statement } from "../../base/db/statement.ts";
import type { Job, JobOutcome } from "../../base/job.ts";
import { diff } from "../../base/lib/diff.ts";
import type { Ctx } from "../../kit/context.ts";
import { changeEach } from "../../kit/journal/write.ts";
import { traitsOf } from "../../stores/platforms.ts";
import type { StorePaymentMethod } from "../../stores/port/payment-methods.ts";
import { readForSwitch, tryNewMethod } from "../billing/actions/new-method.ts";
import { finishPaymentMethod } from "../payment-methods/enter.ts";
import { listMethodsOfStore } from "../payment-methods/queries.ts";
import type { PaymentMethod } from "../payment-methods/tables.ts";
import { upsertPaymentMethod } from "../payment-methods/upsert.ts";
import { findProfilesOfCustomer } from "../profiles/queries.ts";
import { subjectOf } from "../subscriptions/actions/change-subscription.ts";
import type { Part } from "../subscriptions/part.ts";
import { getSubscriptionAnd } from "../subscriptions/queries.ts";
import { subscriptions } from "../subscriptions/tables.ts";

/** Updates a payment method to what the store has now, with an entry in each subscription that is paid with it. */
export async function refreshPaymentMethod(ctx: Ctx, storePaymentMethodId: string): Promise<JobOutcome> {
  const jobs = await retryOnConflict(() => followMethod(ctx, storePaymentMethodId), maxTries);
  if (jobs.length > 0) await ctx.send(jobs);
  return "done";
}

/** Stores the payment method that a customer has entered, wherever they have gone from there. `subject` is the setup and the profile that it is for. */
export async function finishPaymentSetup(ctx: Ctx, subject: string): Promise<JobOutcome> {
  const [setupId = "", profileId = ""] = subject.split(" ");
  if (ctx.store.finishPaymentMethod) await finishPaymentMethod(ctx, profileId, setupId);
  return "done";
}

/** The number of times that the payment method is read and decided on again while others change the same records. */
const maxTries = 8;

/** Our rows are read before the store is asked, so that the store's answer is never older than they are. Returns jobs to send. */
async function followMethod(ctx: Ctx, storeId: string): Promise<Job[]> {
  const stored = await listMethodsOfStore(ctx, storeId);
  const found = await ctx.store.findPaymentMethod(storeId);
  const newOwners = await ownersWithoutMethod(ctx, found, stored);
  const updates = await Promise.all(stored.map((before) => followStored(ctx, before, found)));
  const added = found
    ? newOwners.map((profileId) => upsertPaymentMethod(ctx, profileId, found, undefined).writes)
    : [];
  const uses = updates.flatMap((each) => each.uses);
  const writes = [
    ...updates.flatMap((each) => each.writes),
    ...added.flat(),
    ...uses.flatMap((each) => each.writes),
  ];
  if (writes.length === 0) return [];
  await changeEach(
    ctx,
    uses.map(({ change }) => change),
    writes,
  );
  return uses.flatMap(({ jobs }) => jobs);
}

/** The profiles of the method's customer that do not have it yet, if it can be used. */
async function ownersWithoutMethod(
  ctx: Ctx,
  found: StorePaymentMethod | undefined,
  stored: PaymentMethod[],
): Promise<string[]> {
  if (!found?.store_customer_id || found.status === "REVOKED") return [];
  const profiles = await findProfilesOfCustomer(ctx, found.store_customer_id);
  return profiles.map(({ id }) => id).filter((id) => !stored.some(({ profile_id }) => profile_id === id));
}

type StoredUpdate = { writes: Statement[]; uses: Awaited<ReturnType<typeof changeOfUse>>[] };

/** Updates a stored method and the subscriptions that use it. One that the store no longer has is revoked. */
async function followStored(
  ctx: Ctx,
  before: PaymentMethod,
  found: StorePaymentMethod | undefined,
): Promise<StoredUpdate> {
  const revoked = {
    ...before,
    store_customer_id: null,
    store_customer_email: null,
    is_default: before.is_default === 1,
    status: "REVOKED",
  } as const;
  const { method, writes } = upsertPaymentMethod(ctx, before.profile_id, found ?? revoked, before);
  if (!differ(detailsOf(before), detailsOf(method))) return { writes: [], uses: [] };
  const users = await rows(ctx.db, selectSubscriptionsUsing(ctx, method));
  return { writes, uses: await Promise.all(users.map(({ id }) => changeOfUse(ctx, id, before, method))) };
}

/** The subscriptions that have not ended and are paid with a payment method. */
function selectSubscriptionsUsing({ account }: Ctx, { id, profile_id }: PaymentMethod) {
  return statement(
    build
      .select({ id: subscriptions.id })
      .from(subscriptions)
      .where(
        and(
          eq(subscriptions.account_seq, account.seq),
          eq(subscriptions.profile_id, profile_id),
          eq(subscriptions.payment_method_id, id),
          inArray(subscriptions.status, ["ACTIVE", "PAUSED", "PAYMENT_FAILED"]),
        ),
      ),
  );
}

/** The change of a subscription whose payment method has changed. If a payment is owed, another card of the customer's is tried as after a switch; one that its issuer has renewed is left to the next try. */
async function changeOfUse(ctx: Ctx, id: string, before: PaymentMethod, method: PaymentMethod) {
  const [view, known] = await getSubscriptionAnd(ctx, id, readForSwitch(ctx, id));
  const isOtherCard =
    traitsOf(ctx.account).replacesCards &&
    method.status === "VALID" &&
    differ(cardOf(before), cardOf(method));
  const {
    columns,
    ownEntries = [],
    writes = [],
    jobs = [],
  } = isOtherCard ? await tryNewMethod(ctx, { ...view, method }, known) : ({} as Part<unknown>);
  const subject = subjectOf(view.row);
  const { brand, last4, status } = method;
  return {
    writes,
    jobs,
    change: {
      action: "payment_method_changed" as const,
      subject,
      metadata: { brand, last4, status },
      changes: diff(detailsOf(before), detailsOf(method)),
      after: { ...columns },
      ownEntries: ownEntries.map((own) => ({ ...own, subject })),
    },
  };
}

function detailsOf(method: PaymentMethod) {
  return { ...cardOf(method), status: method.status };
}

function cardOf({ brand, last4, exp_month, exp_year }: PaymentMethod) {
  return { brand, last4, exp_month, exp_year };
}

function differ(before: object, after: object): boolean {
  return Object.keys(diff({ ...before }, { ...after })).length > 0;
}
