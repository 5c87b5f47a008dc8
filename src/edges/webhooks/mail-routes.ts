import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { recordReturned } from "../../domain/mail/actions/record-returned.ts";
import { mailWebhooks } from "../../domain/mail/providers/webhooks.ts";
import type { MailProvider } from "../../domain/mail/tables.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { idInPath, wordInPath } from "../../kit/http/document/params.ts";
import { maxBodyBytes } from "./verify.ts";
import { verifyMailWebhook } from "./verify-mail.ts";

const Payload = z.looseObject({}).openapi("MailWebhookPayload", {
  description: "What the provider says of a mail; each has a form of its own.",
  example: { type: "email.bounced", data: { email_id: "56761188-7520-42d8-8898-ff6fc54ce618" } },
});

const params = z.object({
  provider: wordInPath("provider", {
    description: "The provider that sends the account's mails: resend or postmark.",
    example: "resend",
  }),
  account_id: idInPath("account_id", "account", demoId("account", 1)),
});

export const mailWebhookOperations = [
  operation({
    id: "receiveMailWebhook",
    method: "post",
    path: "/webhooks/mail/{provider}/{account_id}",
    tag: "Webhooks",
    summary: "Receive a webhook from a provider of mails",
    description:
      "Only the provider calls this: Resend signs it by Standard Webhooks with `webhook_secret`, Postmark names `webhook_user` and `webhook_password` (Basic). A mail that came back is BOUNCED, one that was reported as spam COMPLAINED, and its customer's address is written to no more.",
    credentials: "none",
    idempotent: false,
    countsItself: true,
    middleware: [verifyMailWebhook],
    params,
    body: Payload,
    bodyLimit: maxBodyBytes,
    success: {
      status: 200,
      description: "It is recorded, now or earlier, or says nothing of interest.",
      contentType: "text/plain",
      schema: z.string(),
    },
    errors: ["UNAUTHENTICATED"],
    handler: async ({ c, params, body }) => {
      const returned = mailWebhooks[params.provider as MailProvider]?.read(body);
      if (returned) await recordReturned(c.get("ctx"), returned);
      return c.text("OK");
    },
  }),
];
