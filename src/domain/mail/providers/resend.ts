import type { Ctx } from "../../../kit/context.ts";
import type { MailSender } from "../port.ts";
import { apiBase } from "./base-url.ts";
import { failureOf, post } from "./http.ts";

/** Resend (https://resend.com/docs/api-reference/emails/send-email). Its Idempotency-Key holds for 24 hours. */
export function openResend(ctx: Pick<Ctx, "env" | "network">, { api_key }: { api_key: string }): MailSender {
  return {
    hasKeys: true,
    async send({ from, reply_to, to, subject, html, text, key }) {
      const { response, answer } = await post(ctx.network, {
        url: `${apiBase(ctx.env, "https://api.resend.com")}/emails`,
        headers: { Authorization: `Bearer ${api_key}`, "Idempotency-Key": key },
        body: { from, to: [to], subject, html, text, ...(reply_to === null ? {} : { reply_to }) },
      });
      if (response.ok) return { id: typeof answer.id === "string" ? answer.id : null };
      const code = String(answer.name ?? response.status);
      // An earlier try has arrived under this key with other words: a link is made anew for each.
      if (code === "invalid_idempotent_request") return { id: null };
      throw response.status === 409
        ? failureOf(new Response(null, { status: 503 }), code)
        : failureOf(response, code);
    },
  };
}
