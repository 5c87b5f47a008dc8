import { mailContents, mails, mailTemplates } from "../../../src/domain/mail/tables.ts";
import { webhookEndpoints } from "../../../src/domain/webhook-endpoints/tables.ts";
import { api } from "../client.ts";
import { insertOf } from "../database.ts";
import { type MakePart, now, stamps } from "./part.ts";

const templates = "/api/account/mail/templates/{kind}/{locale}";
const postmark = {
  provider: "postmark",
  from_address: "hello@shop.example.com",
  credentials: { server_token: "token", webhook_user: "user", webhook_password: "word" },
};
const path = "/api/mails/{id}";

/** After the part with the entry: customers are told nothing unless a test asks for it. */
export const mailPart: MakePart = (of, mark, { mailer, log, profile }) => ({
  writes: [
    insertOf(webhookEndpoints, {
      id: mailer,
      account_id: of.account.id,
      kind: "mail",
      url: "",
      event_types: "[]",
      own_event_types: "[]",
      mail: JSON.stringify({ provider: "log", from_name: mark, has_credentials: false }),
      payload: "thin",
      is_enabled: 1,
      secret: "",
      ...stamps,
    }),
    insertOf(mails, {
      id: log,
      account_id: of.account.id,
      event_type: "order.placed",
      profile_id: profile,
      recipient: `${mark}@example.com`,
      is_masked: 0,
      subject: mark,
      status: "SENT",
      provider: "log",
      provider_id: log,
      attempt_count: 1,
      resend_count: 0,
      unsettled_at: null,
      sent_at: now,
      created_at: now,
    }),
    insertOf(mailTemplates, {
      ...{ account_id: of.account.id, kind: "welcome", locale: "de" },
      ...{ subject: mark, intro: mark, closing: mark, ...stamps },
    }),
    insertOf(mailContents, {
      account_id: of.account.id,
      mail_id: log,
      html: mark,
      text: mark,
      created_at: now,
    }),
  ],
  paths: {
    ...Object.fromEntries(["", "/content", "/resend"].map((part) => [path + part, { id: log }])),
    ...Object.fromEntries(
      ["", "/preview"].map((part) => [templates + part, { kind: "welcome", locale: "de" }]),
    ),
    "/webhooks/mail/{provider}/{account_id}": { provider: "postmark", account_id: of.account.id },
  },
  bodies: { receiveMailWebhook: { RecordType: "SpamComplaint", MessageID: "unknown" } },
  signed: {
    async receiveMailWebhook() {
      await api(of, "PUT", "/api/account/mail", { body: postmark });
      return { headers: { Authorization: `Basic ${btoa("user:word")}` }, ask: api };
    },
  },
});
