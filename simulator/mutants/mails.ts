import { edit, type Mutant, schema } from "./edits.ts";

const mail = "src/domain/mail";
const prices = "src/domain/bulk/price-change.ts";
const expiring = "src/domain/billing/due/expiring-methods.ts";
const late = "test/mail/outdated.test.ts";
const notices = "test/mail/price-notices.test.ts";

/** Bugs in the mails to customers: sent twice, too late, to nobody's address, or not at all. */
export const mailMutants: Mutant[] = [
  {
    name: "a new key for each try of a mail",
    what: "a mail whose answer was lost is another mail to a provider with keys",
    edits: [
      edit(
        `${mail}/deliver.ts`,
        "key: keyOf(delivery.id, mail),",
        "key: keyOf(delivery.id, { resend_count: delivery.attempt_count }),",
      ),
    ],
    caughtBy: "simulator",
    rule: "no mail comes twice",
  },
  {
    name: "a mail repeated in the dark",
    what: "a mail that a provider without keys may have sent is sent again",
    edits: [
      edit(`${mail}/repeatable.ts`, "return kindOf(mail.event_type)?.isRepeatable ?? false;", "return true;"),
    ],
    caughtBy: "simulator",
    rule: "no mail comes twice",
  },
  {
    name: "a key that is forgotten",
    what: "a mail that the provider may have sent is sent again once it has forgotten the mail's key",
    edits: [
      edit(
        `${mail}/repeatable.ts`,
        "if (keptMs !== undefined) return now < later(mail.unsettled_at, keptMs);",
        "if (keptMs !== undefined) return true;",
      ),
    ],
    caughtBy: {
      file: "test/mail/unknown-outcomes.test.ts",
      test: "receipt: is not sent again once its key may be forgotten",
    },
  },
  {
    name: "a pause that is not told",
    what: "a pause or a cancellation by the shop is silenced by a change that follows it",
    edits: [
      edit(
        `${mail}/kinds/changed.ts`,
        "const types = joinedTypes.includes(event.type) ? joinedTypes : [];",
        "const types = Object.keys(changesByEvent);",
      ),
    ],
    caughtBy: {
      file: "test/mail/changes.test.ts",
      test: "of the status is told whatever comes before and after it",
    },
  },
  {
    name: "changes without an end",
    what: "a customer whose subscription is changed every few minutes hears nothing of it",
    edits: [
      edit(
        `${mail}/joined-changes.ts`,
        "const until = later((await findFirst(ctx, event, earlier)) ?? created_at, joinedMs);",
        "const until = later(earlier.until, joinedMs);",
      ),
    ],
    caughtBy: {
      file: "test/mail/changes.test.ts",
      test: "is told within five minutes of the first, though changes do not end",
    },
  },
  {
    name: "a late sender clears another's mark",
    what: "a sender whose lease has ended takes back that another has begun to send, so that the mail is sent twice",
    edits: [
      edit(
        `${mail}/record.ts`,
        "updateLeased(ctx, mail, delivery, { unsettled_at: mail.unsettled_at }),",
        "updatesWhere(mails, () => sql`${mails.status} = 'PENDING'`)(keyOf(ctx, mail), { unsettled_at: mail.unsettled_at }),",
      ),
    ],
    caughtBy: {
      file: "test/mail/without-keys.test.ts",
      test: "is sent a change once, though its sender has died on the way and a slower one puts it off only then",
    },
  },
  {
    name: "a sign-in link that comes late",
    what: "a link that its customer waited for is sent once the provider is back, a day later",
    edits: [
      edit(
        `${mail}/kinds/login-link.ts`,
        "if (later(event.created_at, waitMsMax) < ctx.now) throw",
        'if (later(event.created_at, waitMsMax) < "") throw',
      ),
    ],
    caughtBy: "simulator",
    rule: "a sign-in link comes in time",
  },
  {
    name: "orders without a mail",
    what: "no mail is made of an order",
    edits: [
      edit(
        schema,
        "AND delivery.event_id = NEW.id AND delivery.endpoint_id = endpoint.id;",
        "AND delivery.event_id = NEW.id AND delivery.endpoint_id = endpoint.id AND NEW.type <> 'order.placed';",
      ),
    ],
    caughtBy: "simulator",
    rule: "every entry of a kind becomes one mail",
  },
  {
    name: "an address that outlives its customer",
    what: "a customer who was erased is written to all the same",
    edits: [
      edit(
        "src/domain/privacy/erase-personal-data.ts",
        "  if (isErased) await retryOnConflict(() => eraseProfile(ctx, profileId));\n",
        "",
      ),
    ],
    caughtBy: "simulator",
    rule: "nobody who was erased is written to",
  },
  {
    name: "a reminder that counts before it is sent",
    what: "a subscription says that its customer was reminded though the provider has refused it",
    edits: [
      edit(
        "src/domain/webhook-endpoints/record.ts",
        "event?.type === type && isNamed && isAccepted(outcome)",
        "event?.type === type && isNamed",
      ),
    ],
    caughtBy: "simulator",
    rule: "a reminder counts as sent once it was accepted",
    times: 4,
  },
  {
    name: "changed reminders for the first page alone",
    what: "changed rules of reminders hold for the first subscriptions of an account and not for the others",
    edits: [edit(`${mail}/reminder-rules.ts`, "THEN ?2 END", "THEN NULL END")],
    caughtBy: {
      file: "test/mail/reminder-rules.test.ts",
      test: "are applied to a page of subscriptions at once, and to the others by messages, a page each",
    },
  },
  {
    name: "a new price without a mail",
    what: "a customer is charged a higher price that no mail has told of",
    edits: [
      edit(
        schema,
        "AND delivery.event_id = NEW.id AND delivery.endpoint_id = endpoint.id;",
        "AND delivery.event_id = NEW.id AND delivery.endpoint_id = endpoint.id AND NEW.type <> 'subscription.price_change_announced';",
      ),
    ],
    caughtBy: { file: notices, test: "dies with the batch of a lease, before it" },
  },
  {
    name: "a new price told twice",
    what: "a price of a later cycle is announced by two entries, and so by two mails",
    edits: [
      edit(
        prices,
        "return { ...decision, ...(entry && { entry }), ownEntries };",
        "return { ...decision, ...(entry && { entry }), ownEntries: [...ownEntries, ...announced] };",
      ),
    ],
    caughtBy: { file: notices, test: "dies with the batch of a lease, before it" },
  },
  {
    name: "a new price told before it counts",
    what: "a customer is told of a price in a batch before that of the price, which then does not come",
    edits: [
      edit(
        prices,
        'import { DomainError } from "../../base/errors.ts";\n',
        `import { DomainError } from "../../base/errors.ts";
import { commitStatements, entryStatement } from "../../kit/journal/write.ts";
import { subjectOf } from "../subscriptions/actions/change-subscription.ts";
`,
      ),
      edit(
        prices,
        "(view, found): Part | undefined => {\n    const { row } = view;\n    const price",
        "async (view, found): Promise<Part | undefined> => {\n    const { row } = view;\n    const price",
      ),
      edit(
        prices,
        "    const decision = linesDecision(row, after);\n",
        `    const told = announced.map((entry) => entryStatement(ctx, { ...entry, subject: subjectOf(row) }));
    if (!dryRun) await commitStatements(ctx, told);
    const decision = linesDecision(row, after);
`,
      ),
      edit(prices, "[...(in_cycles === 0 ? [decision.entry!] : []), ...announced]", "[decision.entry!]"),
    ],
    caughtBy: { file: notices, test: "dies with the batch of a change, after it" },
  },
  {
    name: "a renewed card that expires",
    what: "a customer is told that a card expires which has been renewed since",
    edits: [
      edit(
        expiring,
        "method.status = 'VALID' AND method.expires_on = ?",
        "method.status = 'VALID' AND method.expires_on >= ?",
      ),
    ],
    caughtBy: { file: late, test: "a card that was renewed after its notice" },
  },
  {
    name: "a held charge in a mail",
    what: "a customer is told of a charge that an import holds, and that the former system makes",
    edits: [
      edit(
        expiring,
        `AND s.payment_method_id = method.id AND \${isCharged}\n      WHERE`,
        "AND s.payment_method_id = method.id AND s.status IN ('ACTIVE', 'PAUSED')\n      WHERE",
      ),
    ],
    caughtBy: { file: late, test: "told nothing of what an import holds" },
  },
  {
    name: "a price that is told behind its charge",
    what: "a mail announces for a later day what has been charged today",
    edits: [
      edit(
        `${mail}/kinds/price-change.ts`,
        "String(first_billing_date) <= today",
        "String(first_billing_date) < today",
      ),
    ],
    caughtBy: { file: late, test: "is told no more from the day of its first charge on" },
  },
  {
    name: "too late to leave",
    what: "a mail names a moment for changes at which the charge is made already",
    edits: [
      edit(
        `${mail}/facts/next-charge.ts`,
        "later(startOfDay(day, account.timezone), -minuteMs)",
        "later(startOfDay(day, account.timezone), minuteMs)",
      ),
    ],
    caughtBy: { file: notices, test: "can leave until the minute before the day" },
  },
  {
    name: "a card that has expired",
    what: "a customer is told that a card expires which has done so",
    edits: [
      edit(
        expiring,
        "AND method.expires_on >= ? ORDER BY s.seq LIMIT ?",
        "AND (method.expires_on >= ? OR 1 = 1) ORDER BY s.seq LIMIT ?",
      ),
    ],
    caughtBy: { file: late, test: "a card is told of no more once it has expired" },
  },
  {
    name: "a card of held subscriptions",
    what: "a customer whom an import holds hears from this shop before it charges them",
    edits: [edit(expiring, `  AND \${isCharged}\`;`, "  AND s.status IN ('ACTIVE', 'PAUSED')`;")],
    caughtBy: { file: late, test: "pays for nothing but what an import holds" },
  },
  {
    name: "a price that is owed is not told",
    what: "who owes a payment is never told of the higher price that the next one is at",
    edits: [
      edit(
        `${mail}/kinds/price-change.ts`,
        'return status === "PAYMENT_FAILED" && [',
        'return status === "EXPIRED" && [',
      ),
    ],
    caughtBy: { file: late, test: "a price stays told while a payment is owed" },
  },
  {
    name: "the end of what goes on",
    what: "a customer who has come back is told that their subscription has ended",
    edits: [
      edit(
        `${mail}/kinds/payment-ended.ts`,
        "if (view.row.status !== status) throw",
        'if (view.row.status === "EXPIRED") throw',
      ),
    ],
    caughtBy: { file: late, test: "is told no more to a customer who has come back" },
  },
  {
    name: "a day less to pay",
    what: "a mail names a day for a payment that is before the last one on which it is tried",
    edits: [
      edit(
        `${mail}/kinds/payment-failed.ts`,
        "return later(retries_from, last * dayMs);",
        "return later(retries_from, (last - 1) * dayMs);",
      ),
    ],
    caughtBy: { file: late, test: "is told no more to a customer who has come back" },
  },
];
