import { emit } from "./events.ts";
import type { Params } from "./form.ts";
import { listPage, listParams } from "./lists.ts";
import { text } from "./parameters.ts";
import type { Charge, Dispute, DisputeStatus } from "./records.ts";
import type { Route } from "./routes.ts";
import { type FakeAccount, findRecord, newRecord } from "./store.ts";

/** docs.stripe.com/api/disputes */
export const disputeRoutes: Route[] = [
  {
    operation: "disputes.list",
    method: "GET",
    path: "/v1/disputes",
    params: [...listParams, "charge", "payment_intent"],
    run: ({ account, params }) => {
      const charge = text(params, "charge");
      const intent = text(params, "payment_intent");
      const found = [...account.disputes.values()].filter(
        (one) => (!charge || one.charge === charge) && (!intent || one.payment_intent === intent),
      );
      return listPage("/v1/disputes", found, params);
    },
  },
  {
    operation: "disputes.retrieve",
    method: "GET",
    path: "/v1/disputes/*",
    params: [],
    run: ({ account, ids: [id = ""] }) => findRecord(account.disputes, "dispute", id),
  },
  {
    operation: "disputes.update",
    method: "POST",
    path: "/v1/disputes/*",
    params: ["evidence", "metadata", "submit"],
    run: ({ account, ids: [id = ""], params }) =>
      answerDispute(account, findRecord(account.disputes, "dispute", id), params),
  },
  {
    operation: "disputes.close",
    method: "POST",
    path: "/v1/disputes/*/close",
    params: [],
    run: ({ account, ids: [id = ""] }) => {
      const dispute = findRecord(account.disputes, "dispute", id);
      closeDispute(account, dispute, "lost");
      return dispute;
    },
  },
];

/** In test mode the text of the evidence decides, at once (docs.stripe.com/testing#evidence). */
const decisions: Record<string, ClosedStatus> = { winning_evidence: "won", losing_evidence: "lost" };

/** The merchant answers; the bank looks at it, or in test mode has decided (docs.stripe.com/api/disputes/update). */
function answerDispute(account: FakeAccount, dispute: Dispute, params: Params): Dispute {
  const evidence = params.evidence as Params | undefined;
  const said = evidence ? text(evidence, "uncategorized_text") : undefined;
  if (params.submit === "false" || said === undefined) return dispute;
  const isInquiry = dispute.status.startsWith("warning_");
  if (isInquiry && said === "escalate_inquiry_evidence") {
    dispute.is_charge_refundable = false;
    changeDispute(account, dispute, "needs_response");
    emit(account, "charge.dispute.funds_withdrawn", dispute);
    return dispute;
  }
  changeDispute(account, dispute, isInquiry ? "warning_under_review" : "under_review");
  const decision = decisions[said];
  if (decision) closeDispute(account, dispute, isInquiry ? "warning_closed" : decision);
  return dispute;
}

export type NewDispute = {
  reason?: string;
  /** By default the whole charge. */
  amount?: number;
  /** An inquiry, which takes no money yet (docs.stripe.com/disputes/how-disputes-work). */
  isInquiry?: boolean;
};

/** The customer disputes a charge at their bank, which takes the money back (docs.stripe.com/disputes/how-disputes-work). */
export function openDispute(
  account: FakeAccount,
  charge: Charge,
  { reason = "fraudulent", amount = charge.amount, isInquiry = false }: NewDispute = {},
): Dispute {
  const now = account.now();
  const dispute: Dispute = {
    ...newRecord(account, "dispute", "du"),
    amount,
    charge: charge.id,
    currency: charge.currency,
    evidence_details: { due_by: now + 9 * 86_400, has_evidence: false, past_due: false, submission_count: 0 },
    is_charge_refundable: isInquiry,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason,
    status: isInquiry ? "warning_needs_response" : "needs_response",
  };
  account.disputes.set(dispute.id, dispute);
  charge.disputed = true;
  emit(account, "charge.dispute.created", dispute);
  if (!isInquiry) emit(account, "charge.dispute.funds_withdrawn", dispute);
  return dispute;
}

/** The states in which a dispute is over. */
export type ClosedStatus = Extract<DisputeStatus, "won" | "lost" | "warning_closed">;

/** The bank has decided; the money of one that is won comes back. */
export function closeDispute(account: FakeAccount, dispute: Dispute, status: ClosedStatus): void {
  dispute.status = status;
  emit(account, "charge.dispute.closed", dispute);
  if (status === "won") emit(account, "charge.dispute.funds_reinstated", dispute);
}

/** The merchant has sent evidence, or the bank has asked for it again. */
export function changeDispute(account: FakeAccount, dispute: Dispute, status: DisputeStatus): void {
  const before = { status: dispute.status };
  dispute.status = status;
  emit(account, "charge.dispute.updated", dispute, before);
}
