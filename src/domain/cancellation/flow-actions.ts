import type { z } from "@hono/zod-openapi";
import { insertAccountEntry } from "../../base/accounts/history.ts";
import { minorOf } from "../../base/amounts.ts";
import { ConstraintError, commit } from "../../base/db/commit.ts";
import { retryOnConflict, StaleError } from "../../base/db/retry-on-conflict.ts";
import { insertRow } from "../../base/db/row-writes.ts";
import { readNamed } from "../../base/db/statement.ts";
import { DomainError, type ErrorCode, invalid } from "../../base/errors.ts";
import { diff } from "../../base/lib/diff.ts";
import { isId } from "../../base/lib/ids.ts";
import type { Ctx } from "../../kit/context.ts";
import { selectNamedReasons } from "../reasons/queries.ts";
import { selectNamedPlans } from "../selling-plans/queries.ts";
import { parseReduction } from "../selling-plans/rules.ts";
import { selectNewestFlow } from "./flow-queries.ts";
import type { FlowUpdate } from "./flow-schemas.ts";
import { emptyFlow, type Offer } from "./offers.ts";
import { type CancellationFlow, cancellationFlows as flows } from "./tables.ts";

type Input = z.output<typeof FlowUpdate>;
type OfferInput = NonNullable<Input["offers"]>[number];

/**
 * Adds a version of the flow that has the fields of the request, unless they are so already. Throws UNKNOWN_CANCELLATION_REASON,
 * UNKNOWN_SELLING_PLAN, and VALIDATION_FAILED for amounts that the account's currency does not have.
 */
export function changeFlow(ctx: Ctx, request: Input): Promise<CancellationFlow> {
  return retryOnConflict(async () => {
    const { before, after } = await planFlow(ctx, request);
    const { version: _, created_at: __, ...fields } = after;
    if (before && Object.keys(diff(before, fields)).length === 0) return before;
    const named = Object.keys(request).map((field) => `cancellation_flow.${field}`);
    const entry = insertAccountEntry({
      ...{ account: ctx.account.seq, action: "account_updated", author: ctx.actor, now: ctx.now },
      subject: { type: "account", id: ctx.account.id },
      metadata: { fields: named, version: after.version },
    });
    await commit(ctx, [insertRow(flows, after), entry]).catch((error) => {
      throw isTaken(error) ? new StaleError() : error;
    });
    return after;
  });
}

/** The flow that counts, and the one that a request would make of it. */
export async function planFlow(
  ctx: Ctx,
  { offers, is_enabled, ...request }: Input,
): Promise<{ before: CancellationFlow | undefined; after: CancellationFlow }> {
  const given = offers ?? [];
  const reasonIds = given.flatMap(({ cancellation_reason_ids = [] }) => cancellation_reason_ids);
  const planIds = given.flatMap(({ selling_plan_ids = [] }) => selling_plan_ids);
  const {
    flow: [before],
    reasons,
    plans,
  } = await readNamed(ctx.db, {
    flow: selectNewestFlow(ctx),
    reasons: selectNamedReasons(ctx, "cancellation", [...new Set(reasonIds)]),
    plans: selectNamedPlans(ctx, [...new Set(planIds)]),
  });
  requireKnown(given, {
    field: "cancellation_reason_ids",
    code: "UNKNOWN_CANCELLATION_REASON",
    known: reasons,
  });
  requireKnown(given, { field: "selling_plan_ids", code: "UNKNOWN_SELLING_PLAN", known: plans });
  const { version, ...fields } = before ?? emptyFlow;
  const named = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));
  const after: CancellationFlow = {
    ...fields,
    ...named,
    ...(is_enabled === undefined ? {} : { is_enabled: is_enabled ? 1 : 0 }),
    ...(offers === undefined ? {} : { offers: JSON.stringify(inOrder(offers, ctx)) }),
    account_seq: ctx.account.seq,
    version: version + 1,
    created_at: ctx.now,
  };
  return { before, after };
}

/** The offers by their position, with defaults for what the request leaves out. */
function inOrder(offers: OfferInput[], ctx: Ctx): Offer[] {
  return offers
    .map((offer, index) => newOffer(ctx, offer, index))
    .toSorted((one, other) => one.position - other.position);
}

function newOffer(ctx: Ctx, offer: OfferInput, index: number): Offer {
  const path = `offers.${index}`;
  const { currency_code } = ctx.account;
  const { kind, terms } = offer;
  const id = offer.id?.toLowerCase() ?? ctx.newId();
  if (!isId(id)) throw invalid([{ path: `${path}.id`, message: "must be a UUID, or be left out" }]);
  if (kind === "DISCOUNT") {
    parseReduction(terms.value_type, terms.value, currency_code, `${path}.terms.value`);
    if (terms.max_amount != null) minorOf(terms.max_amount, currency_code, `${path}.terms.max_amount`);
  }
  if (kind === "SWAP" && terms.to.price !== undefined && terms.to.price !== null)
    minorOf(terms.to.price, currency_code, `${path}.terms.to.price`);
  return {
    ...offer,
    id,
    text: offer.text ?? null,
    cancellation_reason_ids: offer.cancellation_reason_ids ?? [],
    min_cycles_billed: offer.min_cycles_billed ?? null,
    selling_plan_ids: offer.selling_plan_ids ?? [],
    store_variant_ids: offer.store_variant_ids ?? [],
    position: offer.position ?? index,
  };
}

type Reference = {
  field: "cancellation_reason_ids" | "selling_plan_ids";
  code: ErrorCode;
  known: { id: string }[];
};

/** A reason or plan that is not active any more may be named: subscriptions have it still. */
function requireKnown(offers: OfferInput[], { field, code, known }: Reference): void {
  const ids = new Set(known.map(({ id }) => id));
  const details = offers.flatMap((offer, index) =>
    (offer[field] ?? []).flatMap((id, nth) =>
      ids.has(id) ? [] : [{ path: `offers.${index}.${field}.${nth}`, message: "is not known" }],
    ),
  );
  const what = field === "selling_plan_ids" ? "selling plan" : "cancellation reason";
  if (details.length > 0) throw new DomainError(code, `The account has no such ${what}`, details);
}

/** Whether another request has added this version first. */
function isTaken(error: unknown): boolean {
  return error instanceof ConstraintError && error.on.startsWith("cancellation_flows.");
}
