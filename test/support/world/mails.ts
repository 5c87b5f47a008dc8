import { mailContents, mails } from "../../../src/domain/mail/tables.ts";
import { webhookEndpoints } from "../../../src/domain/webhook-endpoints/tables.ts";
import { insertOf } from "../database.ts";
import { type MakePart, now, stamps } from "./part.ts";

const path = "/api/mails/{id}";

/** After the part with the entry: customers are told nothing unless a test asks for it. */
export const mailPart: MakePart = ({ account }, mark, { mail, mailer, log, profile, subscription }) => ({
  writes: [
    insertOf(webhookEndpoints, {
      id: mailer,
      account_id: account.id,
      kind: "mail",
      url: "",
      event_types: "[]",
      own_event_types: "[]",
      mail: JSON.stringify({ provider: "log", from_name: mark }),
      payload: "thin",
      is_enabled: 1,
      secret: "",
      ...stamps,
    }),
    insertOf(mails, {
      id: mail,
      account_id: account.id,
      event_id: log,
      event_type: "order.placed",
      profile_id: profile,
      subscription_id: subscription,
      recipient: `${mark}@example.com`,
      is_masked: 0,
      subject: mark,
      status: "SENT",
      provider: "log",
      provider_id: mail,
      attempt_count: 1,
      resend_count: 0,
      is_unsettled: 0,
      sent_at: now,
      created_at: now,
      happened_at: now,
    }),
    insertOf(mailContents, {
      account_id: account.id,
      mail_id: mail,
      html: mark,
      text: mark,
      created_at: now,
    }),
  ],
  paths: Object.fromEntries(["", "/content", "/resend"].map((part) => [path + part, { id: mail }])),
});
