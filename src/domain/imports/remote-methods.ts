import { commit } from "../../base/db/commit.ts";
import { first, raw } from "../../base/db/statement.ts";
import { type ErrorDetail, invalid } from "../../base/errors.ts";
import { later } from "../../base/lib/time/dates.ts";
import { hourMs, minuteMs } from "../../base/lib/time/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import type { RemoteMethod, StoreRemoteMethods } from "../../stores/port/remote-methods.ts";
import { StoreRefusalError, StoreThrottledError } from "../../stores/port.ts";
import type { OpenRow } from "../merchant-jobs/row-ctx.ts";
import type { JobRow, MerchantJob } from "../merchant-jobs/tables.ts";
import type { Profile } from "../profiles/tables.ts";
import { askStore } from "./payment.ts";
import { planRow } from "./plan-rows.ts";
import type { PlannedSubscription } from "./plan-subscription.ts";
import type { PlannedCustomer } from "./planned/customer.ts";
import type { RemotePaymentMethod } from "./tables.ts";

type Owner = { customer: PlannedCustomer; profile: Profile | undefined };

/** The objection to a provider's payment method before the store is asked to make it, which the check never does. */
export async function remoteFault(ctx: Ctx, owner: Owner): Promise<ErrorDetail | undefined> {
  const asked = askedOf(ctx, owner);
  if ("fault" in asked) return asked.fault;
  const missing = await askStore(ctx, () => asked.remoteMethods.findMissingScopes());
  if (missing.length === 0) return undefined;
  return { path, message: `cannot be used: the app lacks the scope ${missing.join(" and the scope ")}` };
}

/**
 * Has the store make the payment method of a row, before any subscription is written, as the store asks the provider afterwards. It is made
 * once for each customer and reference, whoever imports it. Throws VALIDATION_FAILED where the store refuses.
 */
export async function makeRemoteMethod({ beside: ctx }: OpenRow, job: MerchantJob, { key }: JobRow) {
  const plan = await planRow(ctx, job, key);
  if ("here" in plan) return;
  if ("faults" in plan) throw invalid(plan.faults);
  const { customer, remote } = plan.planned;
  if (remote === null) return;
  const asked = askedOf(ctx, { customer, profile: plan.profile });
  if ("fault" in asked) throw invalid([asked.fault]);
  await makeOnce(ctx, { ...asked, job, remote });
}

/** The id at the store of the payment method that was made for a row. Throws StoreThrottledError while the store is still at it. */
export async function madeMethodOf(ctx: Ctx, { customer, remote }: PlannedSubscription, profile?: Profile) {
  const asked = askedOf(ctx, { customer, profile });
  if ("fault" in asked) throw invalid([asked.fault]);
  const { remoteMethods, store_customer_id } = asked;
  const made = await find(ctx, { store_customer_id, reference: JSON.stringify(remote) });
  if (!made?.store_payment_method_id) throw refused("was not made at the store: start the import again");
  const { store_payment_method_id: id, requested_at } = made;
  const state = await askStore(ctx, () => remoteMethods.findState(id));
  if (state === "ready") return id;
  if (state === "revoked")
    throw refused("was revoked by the store: the provider does not know it, or refuses it");
  if (later(requested_at, processingMs) < ctx.realNow)
    throw refused("was not processed by the store within an hour");
  throw new StoreThrottledError("The payment method is still being made", pollSeconds);
}

/** Shopify writes that it takes seconds. */
const processingMs = hourMs;
const pollSeconds = 5;

const path = "remote_gateway";

type Asked = { remoteMethods: StoreRemoteMethods; store_customer_id: string };

function askedOf({ store }: Ctx, { customer, profile }: Owner): Asked | { fault: ErrorDetail } {
  const { remoteMethods } = store;
  const store_customer_id = profile?.store_customer_id ?? customer.store_customer_id;
  if (!remoteMethods)
    return { fault: { path, message: "cannot be used: the connected store takes over no payment methods" } };
  return store_customer_id === null
    ? { fault: { path: "store_customer_id", message: "is required with remote_gateway" } }
    : { remoteMethods, store_customer_id };
}

type Making = Asked & { job: MerchantJob; remote: RemoteMethod };

async function makeOnce(ctx: Ctx, { remote, ...asked }: Making): Promise<void> {
  const reference = JSON.stringify(remote);
  const { remoteMethods, store_customer_id, job } = asked;
  const known = await find(ctx, { store_customer_id, reference });
  if (known?.store_payment_method_id) return;
  const ids = await askRemote(ctx, () => remoteMethods.listIds(store_customer_id));
  const claim = await (known
    ? claimAgain(ctx, job, known)
    : claimFirst(ctx, job, { ...asked, reference, ids }));
  const found = known ? await adoptable(ctx, known, ids) : undefined;
  if (found) return note(ctx, claim, found);
  const id = await askRemote(ctx, () => remoteMethods.make(store_customer_id, remote)).catch(
    async (error) => {
      if (wasNotMade(error)) await release(ctx, claim);
      throw error;
    },
  );
  await note(ctx, claim, id);
}

/**
 * The payment method that came since an earlier request whose answer was lost. The store does not say what it was made from, so that one
 * which the customer has added in these minutes would be taken for it. Throws VALIDATION_FAILED where several came.
 */
async function adoptable(
  ctx: Ctx,
  { known_ids, account_seq, store_customer_id }: RemotePaymentMethod,
  ids: string[],
): Promise<string | undefined> {
  const others = await first(
    ctx.db,
    raw<{ ids: string }>(
      `SELECT json_group_array(store_payment_method_id) AS ids FROM remote_payment_methods
        WHERE account_seq = ? AND store_customer_id = ? AND store_payment_method_id IS NOT NULL`,
      ...[account_seq, store_customer_id],
    ),
  );
  const before = new Set<string>([...JSON.parse(known_ids), ...JSON.parse(others?.ids ?? "[]")]);
  const [id, ...more] = ids.filter((one) => !before.has(one));
  if (more.length > 0)
    throw refused("may have been made before: name the customer's payment method as store_payment_method_id");
  return id;
}

/** Whoever claims a reference alone asks the store, for longer than a request takes to arrive. */
const claimMs = 2 * minuteMs;

/** The claim is refused once the job has been paused or cancelled. The builder has no INSERT with a WHERE. */
async function claimFirst(
  ctx: Ctx,
  { id, status }: MerchantJob,
  { store_customer_id, reference, ids }: { store_customer_id: string; reference: string; ids: string[] },
): Promise<RemotePaymentMethod> {
  const { account, realNow } = ctx;
  const [claimed] = await commit({ db: ctx.db }, [
    raw<RemotePaymentMethod>(
      `INSERT INTO remote_payment_methods (account_seq, store_customer_id, reference, job_id, known_ids, requested_at, claimed_until)
        SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 FROM jobs WHERE account_seq = ?1 AND id = ?4 AND status = ?8
        ON CONFLICT DO NOTHING RETURNING *`,
      ...[
        account.seq,
        store_customer_id,
        reference,
        id,
        JSON.stringify(ids),
        realNow,
        later(realNow, claimMs),
      ],
      status,
    ),
  ]);
  return requireClaim(claimed.rows[0]);
}

async function claimAgain(ctx: Ctx, { id, status }: MerchantJob, known: RemotePaymentMethod) {
  const { account_seq, store_customer_id, reference, claimed_until } = known;
  const [claimed] = await commit({ db: ctx.db }, [
    raw<RemotePaymentMethod>(
      `UPDATE remote_payment_methods SET claimed_until = ?1 WHERE account_seq = ?2 AND store_customer_id = ?3 AND reference = ?4
        AND claimed_until = ?5 AND claimed_until <= ?6 AND store_payment_method_id IS NULL
        AND EXISTS (SELECT 1 FROM jobs WHERE account_seq = ?2 AND id = ?7 AND status = ?8) RETURNING *`,
      ...[later(ctx.realNow, claimMs), account_seq, store_customer_id, reference, claimed_until, ctx.realNow],
      ...[id, status],
    ),
  ]);
  return requireClaim(claimed.rows[0]);
}

function requireClaim(claimed: RemotePaymentMethod | undefined): RemotePaymentMethod {
  if (claimed) return claimed;
  throw new StoreThrottledError("The payment method is being made by somebody else", 30);
}

function find(
  { db, account }: Ctx,
  { store_customer_id, reference }: Pick<RemotePaymentMethod, "store_customer_id" | "reference">,
) {
  return first(
    db,
    raw<RemotePaymentMethod>(
      "SELECT * FROM remote_payment_methods WHERE account_seq = ? AND store_customer_id = ? AND reference = ?",
      ...[account.seq, store_customer_id, reference],
    ),
  );
}

async function note({ db }: Ctx, claim: RemotePaymentMethod, id: string): Promise<void> {
  const { account_seq, store_customer_id, reference } = claim;
  await commit({ db }, [
    raw(
      `UPDATE remote_payment_methods SET store_payment_method_id = ?
        WHERE account_seq = ? AND store_customer_id = ? AND reference = ?`,
      ...[id, account_seq, store_customer_id, reference],
    ),
  ]);
}

/** Nothing was made: whoever asks next begins anew, and waits for nobody. */
async function release({ db }: Ctx, claim: RemotePaymentMethod): Promise<void> {
  const { account_seq, store_customer_id, reference, claimed_until } = claim;
  await commit({ db }, [
    raw(
      `DELETE FROM remote_payment_methods WHERE account_seq = ? AND store_customer_id = ? AND reference = ?
        AND claimed_until = ? AND store_payment_method_id IS NULL`,
      ...[account_seq, store_customer_id, reference, claimed_until],
    ),
  ]);
}

function wasNotMade(error: unknown): boolean {
  return (
    error instanceof StoreThrottledError ||
    (error instanceof Error && error.cause instanceof StoreRefusalError)
  );
}

/** A refusal of the store is the row's fault. */
function askRemote<T>(ctx: Ctx, ask: () => Promise<T>): Promise<T> {
  return askStore(ctx, ask).catch((error) => {
    throw error instanceof StoreRefusalError
      ? refused(`was refused by the store: ${error.message}`, error)
      : error;
  });
}

function refused(message: string, cause?: unknown): Error {
  return Object.assign(invalid([{ path: "remote_payment_method_id", message }]), { cause });
}
