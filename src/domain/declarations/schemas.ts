import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { named } from "../../kit/http/document/describe.ts";
import { idOut } from "../../kit/http/document/fields.ts";
import { dateOut, instant, localeName, maxText, pathId, text } from "../../kit/http/document/params.ts";
import { dataOf, listOf, pageQuery } from "../../kit/http/list/pagination.ts";
import { declarationKinds, declarationStatuses } from "./tables.ts";

const Kind = z.enum(declarationKinds).openapi("DeclarationKind", {
  description:
    "cancellation: the contract is to end. withdrawal: the customer withdraws from it, within the days that the law gives for that.",
});

const statusText =
  "TO_DO: it is looked at, or waits for staff. CARRIED_OUT: its subscription ends on effective_on, or staff have done what it asks for. ANSWERED: staff have answered it otherwise. TAKEN_BACK: its customer has said that it was somebody else, or had started the subscription again before it was carried out.";

const Status = z
  .enum(declarationStatuses)
  .openapi("DeclarationStatus", { description: statusText, example: "TO_DO" });

const Given = named(
  "DeclarationGiven",
  z.strictObject({
    email: z.string(),
    name: z.string().nullable(),
    number: z.string().nullable(),
    from: dateOut.nullable(),
    grounds: z.enum(["ordinary", "cause"]),
    reason: z.string().nullable(),
    locale: localeName,
  }),
  {
    email: ["The e-mail address that was typed, which the acknowledgement goes to.", "ada@example.com"],
    name: ["The name; null for none, and once the customer is erased.", "Ada Lovelace"],
    number: ["The number of the subscription or of an order, as it was typed; null for none.", "1001"],
    from: ["The day from which on; null for as soon as possible.", null],
    grounds: "Whether it is an ordinary cancellation or one for cause. A withdrawal is ordinary.",
    reason: ["The cause, in the sender's words; null for none.", null],
    locale: "The language of the page.",
  },
  { description: "What was typed and confirmed. Nobody has proven to be this person." },
);

export const DeclarationBody = named(
  "Declaration",
  z.strictObject({
    id: idOut,
    kind: Kind,
    received_at: instant,
    given: Given,
    matched_subscription_ids: z.array(idOut),
    status: Status,
    effective_on: dateOut.nullable(),
    note: z.string().nullable(),
  }),
  {
    id: ["The declaration's id.", demoId("declaration", 1)],
    kind: "Whether it cancels or withdraws.",
    received_at: [
      "When it was confirmed: UTC, in the account's own time. It counts from then.",
      "2026-11-20T12:00:00.000Z",
    ],
    given: "What was typed and confirmed.",
    matched_subscription_ids: [
      "The living subscription that it is about, by e-mail address and number; empty where none is found for sure, and until that has been looked at, seconds after it came.",
      [demoId("subscription", 1)],
    ],
    status: "How far it is.",
    effective_on: [
      "The calendar date on which the subscription ends, in the account's time zone; null until it is carried out by itself, and where a pause leaves the last charge of the minimum open.",
      "2026-11-20",
    ],
    note: ["A note of staff; null for none.", null],
  },
  { description: "A cancellation or a withdrawal that was declared without signing in." },
);

export const DeclarationData = dataOf(DeclarationBody, "DeclarationData", "The declaration.");
export const DeclarationList = listOf(DeclarationBody, "DeclarationList");

export const DeclarationQuery = z.strictObject({
  ...pageQuery,
  status: Status.optional(),
  kind: Kind.optional(),
});

export const DeclarationUpdate = named(
  "DeclarationUpdate",
  z.strictObject({
    status: z.enum(["CARRIED_OUT", "ANSWERED"]),
    note: text({ max: maxText }).nullable().optional(),
  }),
  {
    status:
      "CARRIED_OUT: what it asks for was done. ANSWERED: its sender was answered otherwise, such as that nothing was found.",
    note: ["A note of staff, at most 10,000 characters. Null or absent: none.", "Refunded in full"],
  },
  { example: { status: "ANSWERED", note: "No subscription has this address" } },
);

export const declarationPath = pathId("declaration", demoId("declaration", 1));
