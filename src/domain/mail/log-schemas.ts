import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { named } from "../../kit/http/document/describe.ts";
import { idOut } from "../../kit/http/document/fields.ts";
import { dateIn, idIn, instant, orNull, pathId, queryList } from "../../kit/http/document/params.ts";
import { dataOf, listOf, pageQuery } from "../../kit/http/list/pagination.ts";
import { suppressedReasons } from "./facts/silence.ts";
import { MailKindOfMail, Provider } from "./kind-schemas.ts";
import { mailKinds } from "./kinds.ts";
import { mailStatuses } from "./tables.ts";

const Status = z.enum(mailStatuses).openapi("MailStatus", {
  description:
    "PENDING: to be sent. SENT: the provider has accepted it. BOUNCED: it came back. COMPLAINED: its reader reported it as spam. SUPPRESSED: it is not sent, as suppressed_reason says. FAILED: every try has failed, or nobody knows whether one has sent it, as last_error says then.",
});
const Suppressed = z.enum(suppressedReasons).openapi("MailSuppressedReason", {
  description:
    "Why a mail is not sent. late: it was of no use any more. joined: a newer mail says it. outdated: what it was about has changed. imported: the subscription was moved in from elsewhere. address_suppressed: the customer's address takes no mails. no_customer: the customer was deleted or erased. kind_disabled: mails of the kind are switched off. disabled: mails were switched off. store_sends: the store sends such a mail itself. too_many: more than five declarations of the address came within an hour.",
});

export const MailBody = named(
  "Mail",
  z.strictObject({
    id: idOut,
    kind: MailKindOfMail,
    event_id: idOut.nullable(),
    profile_id: idOut.nullable(),
    subscription_id: idOut.nullable(),
    order_id: idOut.nullable(),
    to: z.string().nullable(),
    subject: z.string().nullable(),
    status: Status,
    suppressed_reason: orNull(Suppressed),
    last_error: z.string().nullable(),
    provider: orNull(Provider),
    provider_id: z.string().nullable(),
    attempt_count: z.int(),
    sent_at: instant.nullable(),
    created_at: instant,
  }),
  {
    id: ["The mail's id.", demoId("mail", 1)],
    kind: "What it is about.",
    event_id: ["The id of the event that it tells of; null for a test.", demoId("activity_log", 1)],
    profile_id: ["The id of the profile: the customer. Null for a test.", demoId("profile", 1)],
    subscription_id: ["The id of the subscription; null if it is about none.", demoId("subscription", 1)],
    order_id: ["The id of the order; null if it is about none.", null],
    to: [
      "The address that it was sent to. Masked after 30 days; null before it is sent and once the customer is erased.",
      "ada@example.com",
    ],
    subject: [
      "Its subject; null before it is sent and once the customer is erased.",
      "Your payment of $40.90",
    ],
    status: "What came of it.",
    suppressed_reason: "Why it is not sent; null unless it is SUPPRESSED.",
    last_error: ["Why the last try has failed; null if it has not.", null],
    provider: "Who has sent it; null before the first try.",
    provider_id: ["The provider's id of it; null where there is none.", null],
    attempt_count: ["How often it was tried.", 1],
    sent_at: [
      "When the provider accepted it: UTC, real time. Null if it has not.",
      "2026-11-20T12:00:00.000Z",
    ],
    created_at: ["When it was made, with its event: UTC, real time.", "2026-11-20T12:00:00.000Z"],
  },
  { description: "A mail to a customer, and what came of it. Kept for 400 days." },
);
export const MailData = dataOf(MailBody, "MailData", "The mail.");
export const MailList = listOf(MailBody, "MailList");

export const MailContent = dataOf(
  named(
    "MailContentBody",
    z.strictObject({
      subject: z.string(),
      html: z.string(),
      text: z.string(),
      is_rendered_anew: z.boolean(),
    }),
    {
      subject: ["Its subject.", "Your payment of $40.90"],
      html: ["Its HTML.", "<!doctype html><html>…</html>"],
      text: ["Its plain text.", "Your next payment of $40.90 is on 23 November."],
      is_rendered_anew:
        "Whether it was rendered for this answer, of the records as they are now; false for one that was kept as it was sent.",
    },
  ),
  "MailContent",
  "The mail in words.",
);

function bound(what: string) {
  return dateIn.optional().openapi({
    param: {
      description: `Only mails that were made ${what}: a date-time, or a date, which is its whole day in the account's time zone.`,
    },
  });
}

export const MailQuery = z.strictObject({
  ...pageQuery,
  status: queryList(mailStatuses).optional(),
  kind: queryList([...mailKinds, "test"]).optional(),
  profile_id: idIn.optional().openapi({
    description: "Only mails to this customer.",
    example: demoId("profile", 1),
  }),
  from: bound("at this time or later"),
  to: bound("at this time or earlier"),
});

export const mailParams = pathId("mail", demoId("mail", 1));
