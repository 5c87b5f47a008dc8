import { ConstraintError } from "../../base/db/commit.ts";
import { decide, StaleError } from "../../base/db/decide.ts";
import type { Statement } from "../../base/db/port.ts";
import { insertRow } from "../../base/db/row-writes.ts";
import { first, raw } from "../../base/db/statement.ts";
import { type ErrorDetail, invalid } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import { createRecord, type Entry } from "../../kit/journal/write.ts";
import { type Entity, entities } from "../entities/tables.ts";
import type { OpenRow } from "../merchant-jobs/row-ctx.ts";
import type { JobRow, MerchantJob } from "../merchant-jobs/tables.ts";
import { insertProfile, newProfile, type ProfileValues } from "../profiles/actions.ts";
import { linkCustomer } from "../profiles/customers.ts";
import { profileEntry } from "../profiles/entries.ts";
import { deriveColumns } from "../profiles/rules.ts";
import type { Profile } from "../profiles/tables.ts";
import { subjectOf } from "../subscriptions/actions/change-subscription.ts";
import { profileAddress } from "../subscriptions/address.ts";
import { insertSubscription } from "../subscriptions/new-row.ts";
import { linesOf } from "../subscriptions/row-codec.ts";
import { guardSourceRef } from "../subscriptions/source-refs.ts";
import { alreadyHere, outcomeOf } from "./check.ts";
import type { ImportInput } from "./create.ts";
import { profileFor } from "./customers.ts";
import { paymentOf } from "./payment.ts";
import { planRow } from "./plan-row.ts";
import type { PlannedSubscription } from "./plan-subscription.ts";
import type { PlannedEntity } from "./planned/customer.ts";
import { madeMethodOf } from "./remote-methods.ts";
import { type ImportRef, importRefs } from "./tables.ts";

/**
 * Creates the subscription of a row, held, in one batch with the name that its source has for it, so that it is created once whoever
 * imports it. A row that is here already by then is passed over. Throws VALIDATION_FAILED with what is wrong with the row.
 */
export function writeSubscription(open: OpenRow, job: MerchantJob, { key }: JobRow): Promise<void> {
  const { ctx } = open;
  const input: ImportInput = JSON.parse(job.input);
  return decide(async () => {
    const row = await planRow(ctx, job, key);
    if ("here" in row) return passOver(open, row.here);
    await create(open, row.planned, { job, source: input.source, ref: key });
  }, maxTries);
}

/** Others may change the customer at the same time. */
const maxTries = 5;

export function passOver(open: OpenRow, record_id: string): Promise<void> {
  const errors: ErrorDetail[] = [{ path: "subscription_ref", message: alreadyHere }];
  return open.mark({ status: "SKIPPED", record_id, errors });
}

type Origin = { job: MerchantJob; source: string; ref: string };

async function create(
  open: OpenRow,
  planned: PlannedSubscription,
  { job, source, ref }: Origin,
): Promise<void> {
  const { ctx } = open;
  const owner = await ownerOf(ctx, planned);
  const payment = await paymentIn(ctx, planned, owner);
  const entity = await entityFor(ctx, planned.entity, { job, source, profileId: owner.id });
  const row = {
    ...planned.row,
    profile_id: owner.id,
    payment_method_id: payment.id,
    entity_id: entity.id,
    entity_label: entity.label,
    lines: JSON.stringify(linesOf(planned.row).map((line) => ({ ...line, entity_id: entity.id }))),
    delivery_address: planned.row.delivery_address ?? owner.address,
  };
  open.note({ record_id: row.id, summary: outcomeOf(planned) });
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
      ...owner.inserts,
      ...payment.inserts,
      ...entity.inserts,
      insertSubscription(row),
      ...guardSourceRef(ctx, row),
      insertRow(importRefs, refRow),
    ],
  );
}

/** Creates records whose names may be taken by somebody else meanwhile: then everything is read anew. */
export async function createOnce(ctx: Ctx, entries: Entry[], writes: Statement[]): Promise<void> {
  try {
    await createRecord(ctx, entries, writes);
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
async function ownerOf(ctx: Ctx, { customer }: PlannedSubscription): Promise<Owner> {
  const found = await profileFor(ctx, customer);
  if ("fault" in found) throw invalid([found.fault]);
  const { profile } = found;
  if (!profile) {
    const created = customerProfile(ctx, customer);
    const events = [profileEntry("profile_created", created)];
    return { id: created.id, profile: undefined, address: null, events, inserts: [insertProfile(created)] };
  }
  const isNew = profile.store_customer_id === null && customer.store_customer_id !== null;
  return {
    id: profile.id,
    profile,
    address: profileAddress(profile),
    events: [],
    inserts: isNew ? linkCustomer(ctx, profile, customer.store_customer_id!) : [],
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
