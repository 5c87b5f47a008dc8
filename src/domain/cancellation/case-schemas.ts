import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { type FieldText, named } from "../../kit/http/document/describe.ts";
import { commonTexts, idOut, referenceTexts } from "../../kit/http/document/fields.ts";
import { moneyOut } from "../../kit/http/document/money.ts";
import { dateOut, idIn, idInPath, instant, maxText, orNull, text } from "../../kit/http/document/params.ts";
import { dataOf, listOf, pageQuery } from "../../kit/http/list/pagination.ts";
import { SubscriptionStatus } from "../orders/schemas.ts";
import { OfferKind } from "./flow-schemas.ts";
import { FrequencyChoice, OfferLabel, OfferTerms, OfferText, offerTexts } from "./offer-schemas.ts";
import { caseOutcomes, caseStatuses } from "./tables.ts";

const PreviewState = named(
  "CancellationPreviewState",
  z.strictObject({
    status: SubscriptionStatus,
    next_billing_date: dateOut.nullable(),
    next_delivery_date: dateOut.nullable(),
    total: moneyOut,
    frequency_label: z.string(),
  }),
  {
    status: "The subscription's status.",
    next_billing_date: [
      "Its next_billing_date, which a paused subscription keeps; null for none.",
      "2026-11-23",
    ],
    next_delivery_date: [
      "Its next_delivery_date, which a paused subscription keeps; null for none.",
      "2026-11-24",
    ],
    total: ["Its total: what a charge is, in major units of its currency.", 40.9],
    frequency_label: ["How often it is billed, in English.", "Every month"],
  },
  { description: "A subscription by what an offer may change." },
);

const PreviewCharge = named(
  "CancellationPreviewCharge",
  z.strictObject({ date: dateOut, amount: moneyOut }),
  {
    date: ["The day of the charge, in the account's time zone.", "2026-11-23"],
    amount: ["What is charged: major units of the subscription's currency.", 40.9],
  },
  { description: "A charge that will be made if nobody does anything else." },
);

export const OfferPreview = named(
  "CancellationOfferPreview",
  z.strictObject({
    before: PreviewState,
    after: PreviewState,
    next_charge_before: orNull(PreviewCharge),
    next_charge_after: orNull(PreviewCharge),
    saves: moneyOut.nullable(),
  }),
  {
    before: "The subscription as it is.",
    after:
      "The subscription as the offer would leave it, by the dry run of what it does; a frequency is the first option.",
    next_charge_before: "The next charge without the offer, as `upcoming` has it; null for none.",
    next_charge_after: "The next charge with the offer; null for none.",
    saves: [
      "How much less the next charge is with the offer, in major units of the subscription's currency; null where it is no less.",
      8.18,
    ],
  },
  { description: "What accepting an offer does, worked out as the case was opened." },
);

const CaseOffer = named(
  "CancellationCaseOffer",
  z.strictObject({
    id: idOut,
    kind: OfferKind,
    label: OfferLabel,
    text: orNull(OfferText),
    terms: OfferTerms,
    preview: OfferPreview,
  }),
  {
    ...offerTexts,
    id: ["The offer's id in the flow.", demoId("cancellation_offer", 1)],
    preview: "What accepting it does.",
  },
  { description: "An offer as it was when the case was opened." },
);

const CaseStatus = z.enum(caseStatuses).openapi("CancellationCaseStatus", {
  description:
    "OPEN: the customer decides. ACCEPTED: they took an offer. CONFIRMED: the subscription was cancelled. EXPIRED: neither came within 24 hours.",
});

const Outcome = z.enum(caseOutcomes).openapi("CancellationOutcome", {
  description:
    "What an accepted offer has come to. PENDING: nobody knows yet. SAVED: a charge that began after it succeeded at full terms, and the subscription goes on. LOST: the subscription was cancelled before.",
});

/** A customer who is about to cancel. */
export const CaseBody = named(
  "CancellationCase",
  z.strictObject({
    id: idOut,
    subscription_id: idOut,
    status: CaseStatus,
    cancellation_reason_id: idOut.nullable(),
    note: z.string().nullable(),
    offers: z.array(CaseOffer),
    accepted_offer_id: idOut.nullable(),
    outcome: orNull(Outcome),
    expires_at: instant,
    created_at: instant,
    updated_at: instant,
  }),
  {
    ...commonTexts,
    ...referenceTexts,
    id: ["The case's id.", demoId("cancellation_case", 1)],
    status: "Where the case stands.",
    cancellation_reason_id: [
      "The id of the cancellation reason that was chosen; null for none.",
      demoId("cancellation_reason", 1),
    ],
    note: ["More about why, in the customer's words; null for nothing.", null],
    offers: "What the customer is offered, frozen as the case was opened. Empty where nothing is.",
    accepted_offer_id: ["The id of the offer that was accepted; null for none.", null],
    outcome: "What the accepted offer has come to; null where none was accepted.",
    expires_at: [
      "Until when it is open, 24 hours from its beginning: UTC, in the account's own time.",
      "2026-11-21T12:00:00.000Z",
    ],
  },
  { description: "A customer who is about to cancel: why, what they were offered, and what came of it." },
);

export const CaseData = dataOf(CaseBody, "CancellationCaseData", "The case.");
export const CaseList = listOf(CaseBody, "CancellationCaseList");
export const CaseQuery = z.strictObject(pageQuery);

export const CaseOpen = named(
  "CancellationCaseCreate",
  z.strictObject({
    cancellation_reason_id: idIn.nullable().optional(),
    note: text({ max: maxText }).nullable().optional(),
  }),
  {
    cancellation_reason_id: [
      "The id of an active cancellation reason, which decides on the offers. Null or absent: none.",
      demoId("cancellation_reason", 1),
    ],
    note: ["Why, in the customer's words, at most 10,000 characters. Null or absent: nothing.", null],
  },
  { example: { cancellation_reason_id: demoId("cancellation_reason", 1) } },
);

export const CaseAccept = named(
  "CancellationCaseAccept",
  z.strictObject({ offer_id: idIn, choice: FrequencyChoice.optional() }),
  {
    offer_id: ["The id of one of the case's offers.", demoId("cancellation_offer", 1)],
    choice: "For kind FREQUENCY one of its options, if there are several.",
  } satisfies Record<string, FieldText>,
  { example: { offer_id: demoId("cancellation_offer", 1) } },
);

export const casePath = z.object({
  id: idInPath("id", "subscription", demoId("subscription", 1)),
  caseId: idInPath("caseId", "case", demoId("cancellation_case", 1)),
});
