import type { Ctx } from "../../../kit/context.ts";
import type { MailSender } from "../port.ts";
import { apiBase } from "./base-url.ts";
import { failureOf, post } from "./http.ts";

/** Postmark (https://postmarkapp.com/developer/api/email-api). It knows no keys: a repetition is another mail. */
export function openPostmark(
  ctx: Pick<Ctx, "env" | "network">,
  { server_token }: { server_token: string },
): MailSender {
  return {
    async send({ from, reply_to, to, subject, html, text, key }) {
      const { response, answer } = await post(ctx.network, {
        url: `${apiBase(ctx.env, "https://api.postmarkapp.com")}/email`,
        headers: { "X-Postmark-Server-Token": server_token },
        body: {
          ...{ From: from, To: to, Subject: subject, HtmlBody: html, TextBody: text },
          // It is for people who look for the mail there; Postmark itself does nothing with it.
          Metadata: { mail_id: key },
          ...{ MessageStream: "outbound", ...(reply_to === null ? {} : { ReplyTo: reply_to }) },
        },
      });
      if (!response.ok) throw failureOf(response, `postmark_${answer.ErrorCode ?? response.status}`);
      return { id: typeof answer.MessageID === "string" ? answer.MessageID : null };
    },
  };
}
