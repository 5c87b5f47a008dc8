import { ConstraintError } from "../../base/db/commit.ts";
import { guard } from "../../base/db/guard.ts";
import type { Statement } from "../../base/db/port.ts";
import { retryOnConflict, StaleError } from "../../base/db/retry-on-conflict.ts";
import { insertRow } from "../../base/db/row-writes.ts";
import { first, raw } from "../../base/db/statement.ts";
import { type ErrorDetail, invalid } from "../../base/errors.ts";
import { readProvinces } from "../../base/lib/places/provinces.ts";
import type { Ctx } from "../../kit/context.ts";
import { commitStatements, createRecord, type Entry, type RecordUpdate } from "../../kit/journal/write.ts";
import { type Entity, entities } from "../entities/tables.ts";
import type { OpenRow } from "../merchant-jobs/row-ctx.ts";
import type { DoRow } from "../merchant-jobs/rows-page.ts";
import type { JobRow, MerchantJob } from "../merchant-jobs/tables.ts";
import { insertProfile, newProfile, type ProfileValues } from "../profiles/actions.ts";
import { linkStatements } from "../profiles/customers.ts";
import { profileEntry } from "../profiles/entries.ts";
import { deriveColumns } from "../profiles/rules.ts";
import type { Profile } from "../profiles/tables.ts";
import { subjectOf } from "../subscriptions/actions/change-subscription.ts";
import { profileAddress } from "../subscriptions/address/address.ts";
import { isOver } from "../subscriptions/lifecycle.ts";
import { insertSubscription } from "../subscriptions/new-row.ts";
import { linesOf } from "../subscriptions/row-codec.ts";
import { guardSourceRef } from "../subscriptions/source-refs.ts";
import { alreadyHere, outcomeOf } from "./check.ts";
import type { ImportInput } from "./create.ts";
import { makeMissingPlan } from "./missing-plans.ts";
import { paymentOf } from "./payment.ts";
import { planRow, planRows, type RowPlan } from "./plan-rows.ts";
import type { PlannedSubscription } from "./plan-subscription.ts";
import type { PlannedEntity } from "./planned/customer.ts";
import { madeMethodOf } from "./remote-methods.ts";
import { type ImportRef, importRefs } from "./tables.ts";

/**
 * Creates the subscriptions of rows, each held, in one batch with the name that its source has for it, so that it is created once whoever
 * imports it. What a page needs is read together; a row that this refuses, or that finds something changed, is read anew by itself. One
 * that is here already by then is passed over, and VALIDATION_FAILED is thrown with what is wrong with any other.
 */
export async function prepareSubscriptionWriter(ctx: Ctx, job: MerchantJob, rows: JobRow[]): Promise<DoRow> {
  const plans = await plansOf(
    ctx,
    job,
    rows.map(({ key }) => key),
  );
  return async (open, _, { key, summary }) => {
    let known = plans.take(key);
    await retryOnConflict(async () => {
      const plan = known ?? (await planRow(open.ctx, job, key));
      known = undefined;
      if ("here" in plan)
        return plan.leftBy ? takeOver(open, plan, { job, ref: key }) : passOver(open, plan.here);
      if ("faults" in plan) throw invalid(plan.faults);
      if (plan.planned.missing) {
        await makeMissingPlan({ ...open.beside, actor: open.ctx.actor }, job, plan.planned.missing);
        throw new StaleError();
      }
      await create(open, plan, { job, ref: key, checked: JSON.parse(summary) });
    }, maxTries);
  };
}

type Creation = Extract<RowPlan, { profile: unknown }>;

/** The plans of a page, each to be taken once. A customer's second row has none, as the first may have made the customer. */
async function plansOf(ctx: Ctx, job: MerchantJob, refs: string[]) {
  const { plans } = await planRows(ctx, job, refs);
  const seen = new Set<string>();
  return {
    take(ref: string): Creation | undefined {
      const plan = plans.get(ref);
      if (!plan || !("profile" in plan) || plan.planned.missing) return undefined;
      const { email_folded, store_customer_id } = plan.planned.customer;
      const names = [email_folded, store_customer_id && `:${store_customer_id}`].filter((name) => !!name);
      const isFirst = !names.some((name) => seen.has(name!));
      for (const name of names) seen.add(name!);
      return isFirst ? plan : undefined;
    },
  };
}

/** Others may change the customer at the same time. */
const maxTries = 5;

export function passOver(open: OpenRow, record_id: string): Promise<void> {
  const errors: ErrorDetail[] = [{ path: "subscription_ref", message: alreadyHere }];
  return open.mark({ status: "SKIPPED", record_id, errors });
}

type Origin = { job: MerchantJob; ref: string };

/** Makes a held subscription this import's, which one that has failed, or was cancelled, has left: this one releases and undoes it. */
async function takeOver(
  open: OpenRow,
  { here, leftBy }: { here: string; leftBy?: string | undefined },
  { job, ref }: Origin,
): Promise<void> {
  const { source }: ImportInput = JSON.parse(job.input);
  const its = [open.ctx.account.seq, source, ref, leftBy!];
  const isLeft = `account_seq = ? AND source = ? AND kind = 'subscription' AND ref = ? AND job_id = ? AND is_held = 1`;
  open.note({ record_id: here });
  await commitStatements(open.ctx, [
    guard(`NOT EXISTS (SELECT 1 FROM import_refs WHERE ${isLeft})`, its),
    raw(`UPDATE import_refs SET job_id = ? WHERE ${isLeft}`, job.id, ...its),
  ]);
}

async function create(
  open: OpenRow,
  { planned, profile }: Creation,
  { job, ref, checked }: Origin & { checked: object },
): Promise<void> {
  const { ctx } = open;
  const { source }: ImportInput = JSON.parse(job.input);
  const owner = await ownerOf(ctx, planned, profile);
  const payment = await paymentIn(ctx, planned, owner);
  const entity = await entityFor(ctx, planned.entity, { job, source, profileId: owner.id });
  const row = {
    ...planned.row,
    profile_id: owner.id,
    payment_method_id: payment.id,
    entity_id: entity.id,
    entity_label: planned.row.entity_label ?? entity.label,
    lines: JSON.stringify(linesOf(planned.row).map((line) => ({ ...line, entity_id: entity.id }))),
    delivery_address: planned.row.delivery_address ?? owner.address,
  };
  open.note({ record_id: row.id, summary: { ...checked, ...outcomeOf(planned) } });
  const created: Entry = { action: "subscription_created", subject: subjectOf(row) };
  const refRow = {
    ...refOf(ctx, { job, source }),
    kind: "subscription",
    ref,
    record_id: row.id,
    is_held: 1,
  } as const;
  await createOnce(
    ctx,
    [...owner.events, created],
    [
      guardAsRead(ctx, { job, ref }, { planned, profile }),
      ...owner.inserts,
      ...payment.inserts,
      ...entity.inserts,
      insertSubscription(row),
      ...(isOver(row) ? [] : guardSourceRef(ctx, row)),
      insertRow(importRefs, refRow),
    ],
  );
}

/**
 * Fails the batch where the customer has been deleted, or somebody has become the store's customer, since they were read; or the lines have
 * gone with a customer who was erased.
 */
function guardAsRead(ctx: Ctx, { job, ref }: Origin, { planned, profile }: Creation): Statement {
  const { seq } = ctx.account;
  const linesAreGone =
    "NOT EXISTS (SELECT 1 FROM import_lines WHERE account_seq = ?1 AND job_id = ?2 AND ref = ?3)";
  return profile
    ? guard(
        `${linesAreGone} OR NOT EXISTS (SELECT 1 FROM profiles WHERE account_seq = ?1 AND id = ?4 AND deleted_at IS NULL)`,
        [seq, job.id, ref, profile.id],
      )
    : guard(
        `${linesAreGone} OR EXISTS (SELECT 1 FROM profiles WHERE account_seq = ?1 AND store_customer_id = ?4
          AND deleted_at IS NULL)`,
        [seq, job.id, ref, planned.customer.store_customer_id],
      );
}

/** Creates records whose names may be taken by somebody else meanwhile: then everything is read anew. */
export async function createOnce(
  ctx: Ctx,
  entries: Entry[],
  writes: Statement[],
  updates: RecordUpdate[] = [],
): Promise<void> {
  try {
    await createRecord(ctx, entries, writes, updates);
  } catch (error) {
    const isTaken =
      error instanceof ConstraintError &&
      error.kind === "unique" &&
      /^(import_refs|profiles|orders)\./.test(error.on);
    throw isTaken ? new StaleError() : error;
  }
}

export function refOf({ account }: Ctx, { job, source }: { job: MerchantJob; source: string }) {
  return { account_seq: account.seq, source, job_id: job.id } satisfies Partial<ImportRef>;
}

type Owner = {
  id: string;
  profile: Profile | undefined;
  /** Their own address, for a subscription that names none. */
  address: string | null;
  events: Entry[];
  inserts: Statement[];
};

/** The customer of a row: one whom the account has, or a new one. */
async function ownerOf(
  ctx: Ctx,
  { customer }: PlannedSubscription,
  profile: Profile | undefined,
): Promise<Owner> {
  if (!profile) {
    const created = customerProfile(ctx, customer);
    const events = [profileEntry("profile_created", created)];
    return { id: created.id, profile: undefined, address: null, events, inserts: [insertProfile(created)] };
  }
  const isNew = profile.store_customer_id === null && customer.store_customer_id !== null;
  return {
    id: profile.id,
    profile,
    address: profileAddress(await readProvinces(), profile),
    events: [],
    inserts: isNew ? linkStatements(ctx, profile, customer.store_customer_id!) : [],
  };
}

function customerProfile(ctx: Ctx, customer: PlannedSubscription["customer"]): ProfileValues {
  const { email, first_name, last_name, phone_number, store_customer_id } = customer;
  const values = {
    ...newProfile(ctx, { email: email!, first_name, last_name, phone_number }),
    store_customer_id,
  };
  return { ...values, ...deriveColumns(values) };
}

async function paymentIn(ctx: Ctx, planned: PlannedSubscription, { id, profile }: Owner) {
  const { customer } = planned;
  const method = planned.remote ? await madeMethodOf(ctx, planned, profile) : planned.store_payment_method_id;
  if (method === null) return { id: null, inserts: [] };
  const found = await paymentOf(ctx, method, { profileId: id, customer, profile });
  if ("fault" in found) throw invalid([found.fault]);
  return { id: found.method.id, inserts: found.writes };
}

type ForWhom = { job: MerchantJob; source: string; profileId: string };

/** The entity of a row, which is created once for each customer and ref. */
async function entityFor(ctx: Ctx, planned: PlannedEntity | undefined, { job, source, profileId }: ForWhom) {
  if (!planned) return { id: null, label: null, inserts: [] };
  const ref = JSON.stringify([profileId, planned.ref]);
  const known = await first(
    ctx.db,
    raw<{ id: string; name: string }>(
      `SELECT entity.id, entity.name FROM import_refs AS its
        JOIN entities AS entity ON entity.account_seq = its.account_seq AND entity.id = its.record_id
        WHERE its.account_seq = ? AND its.source = ? AND its.kind = 'entity' AND its.ref = ?`,
      ...[ctx.account.seq, source, ref],
    ),
  );
  if (known) return { id: known.id, label: known.name, inserts: [] };
  const entity = newEntity(ctx, planned, profileId);
  const refRow = {
    ...refOf(ctx, { job, source }),
    kind: "entity",
    ref,
    record_id: entity.id,
    is_held: 0,
  } as const;
  const inserts = [insertRow(entities, entity), insertRow(importRefs, refRow)];
  return { id: entity.id, label: entity.name, inserts };
}

function newEntity(ctx: Ctx, { entity_type, name }: PlannedEntity, profile_id: string): Entity {
  return {
    id: ctx.newId(),
    account_seq: ctx.account.seq,
    ...{ profile_id, entity_type, name },
    is_active: 1,
    image_url: null,
    wizard_id: null,
    attributes: "{}",
    created_at: ctx.now,
    updated_at: ctx.now,
    deleted_at: null,
  };
}
