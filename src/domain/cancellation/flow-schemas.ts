import { z } from "@hono/zod-openapi";
import { demoId, demoPlanIds } from "../../base/demo.ts";
import { type FieldText, named } from "../../kit/http/document/describe.ts";
import { idOut } from "../../kit/http/document/fields.ts";
import { dataOf } from "../../kit/http/list/pagination.ts";
import { OfferBody, OfferIn } from "./offer-schemas.ts";
import { offerKinds } from "./tables.ts";

/** The most offers of a flow. */
const offersMax = 20;

const Per = z.enum(["customer", "subscription"]).openapi("CancellationFlowPer", {
  description:
    "Whose accepted offers are counted. customer: those of all subscriptions of a customer. subscription: those of each by itself.",
});

export const OfferKind = z.enum(offerKinds).openapi("CancellationOfferKind", {
  description:
    "What accepting an offer does. PAUSE: pauses the subscription. SKIP: skips its next deliveries. DISCOUNT: lowers its next charges. FREQUENCY: changes how often it is delivered. SWAP: replaces a product.",
});

const texts = {
  is_enabled: "Whether offers are shown. Off by default: customers then cancel as if there were none.",
  offers: `What is offered, in the order in which customers see it; at most ${offersMax}.`,
  cooldown_days: [
    "For how many days an accepted offer counts against max_accepted, 0 to 3,650. 180 by default.",
    180,
  ],
  max_accepted: [
    "How many offers can be accepted within the cooldown, 1 to 100; nothing more is offered then. 1 by default.",
    1,
  ],
  per: "Whose accepted offers are counted; the customer's by default.",
  show_at_most: [`How many offers are shown at once, 1 to ${offersMax}. 2 by default.`, 2],
} as const satisfies Record<string, FieldText>;

const FlowBody = named(
  "CancellationFlow",
  z.strictObject({
    is_enabled: z.boolean(),
    offers: z.array(OfferBody),
    cooldown_days: z.int(),
    max_accepted: z.int(),
    per: Per,
    show_at_most: z.int(),
  }),
  texts,
  { description: "What is offered to customers who are about to cancel." },
);

const count = z.int().min(0);

const FlowPreview = named(
  "CancellationFlowPreview",
  z.strictObject({
    would_have_been_offered: count,
    of: count,
    by_offer: z.array(
      named("CancellationFlowPreviewOffer", z.strictObject({ id: idOut, kind: OfferKind, count }), {
        id: [
          "The offer's id; one that is new gets another when it is stored.",
          demoId("cancellation_offer", 1),
        ],
        kind: "What accepting it does.",
        count: ["For how many of the cancellations it would have been shown.", 3],
      }),
    ),
  }),
  {
    would_have_been_offered: ["For how many of them at least one offer would have been shown.", 5],
    of: [
      "How many subscriptions were cancelled in the last 90 days and are so still; the latest 5,000 are looked at, at most.",
      8,
    ],
    by_offer: "The offers in their order, each with how often it would have been shown.",
  },
);

export const FlowData = dataOf(FlowBody, "CancellationFlowData", "The flow.");
export const FlowChanged = dataOf(
  z.union([FlowBody, FlowPreview]),
  "CancellationFlowChanged",
  "The flow as it now is; for a dry run what it would have offered.",
);

export const FlowUpdate = named(
  "CancellationFlowUpdate",
  z.strictObject({
    is_enabled: z.boolean().optional(),
    offers: z.array(OfferIn).max(offersMax).superRefine(requireEachOnce).optional(),
    cooldown_days: z.int().min(0).max(3_650).optional(),
    max_accepted: z.int().min(1).max(100).optional(),
    per: Per.optional(),
    show_at_most: z.int().min(1).max(offersMax).optional(),
  }),
  texts,
  {
    description: "Fields that are absent stay as they are; `offers` replaces all of them.",
    example: {
      is_enabled: true,
      offers: [
        {
          kind: "DISCOUNT",
          label: { en: "20 % off the next three deliveries", de: "20 % auf die nächsten drei Lieferungen" },
          terms: { value: 20, value_type: "PERCENTAGE", cycles: 3, max_amount: 10 },
          cancellation_reason_ids: [demoId("cancellation_reason", 1)],
          selling_plan_ids: [demoPlanIds.monthly],
        },
        { kind: "PAUSE", label: { en: "Take a break of a month" }, terms: { max_days: 30 } },
      ],
    },
  },
);

function requireEachOnce(offers: { id?: string | undefined }[], c: z.RefinementCtx): void {
  const known = new Set<string>();
  for (const [index, { id }] of offers.entries()) {
    if (id === undefined) continue;
    if (known.has(id))
      c.addIssue({ code: "custom", path: [index, "id"], message: "is the id of two offers" });
    known.add(id);
  }
}
