import { edit, type Mutant, schema } from "./edits.ts";

const mail = "src/domain/mail";

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
    rule: "no mail comes twice",
  },
  {
    name: "a mail repeated in the dark",
    what: "a mail that a provider without keys may have sent is sent again",
    edits: [
      edit(`${mail}/repeatable.ts`, "return kindOf(mail.event_type)?.isRepeatable ?? false;", "return true;"),
    ],
    rule: "no mail comes twice",
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
    rule: "a reminder counts as sent once it was accepted",
    times: 4,
  },
];
