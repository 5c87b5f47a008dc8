import type { Ctx } from "../../../kit/context.ts";
import { type MailSender, RefusedError, UnknownSendError } from "../port.ts";
import { apiBase } from "./base-url.ts";
import { failureOf, post } from "./http.ts";

/** Resend (https://resend.com/docs/api-reference/emails/send-email). It keeps an Idempotency-Key for 24 hours. */
export function openResend(ctx: Pick<Ctx, "env" | "network">, { api_key }: { api_key: string }): MailSender {
  return {
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
      // Another try under this key is under way.
      if (response.status === 409) throw new UnknownSendError(code);
      // A service that is unavailable has taken nothing (RFC 9110 §15.6.4); should one have, the key is known.
      if (response.status === 503) throw new RefusedError("the provider answered 503", false);
      throw failureOf(response, code);
    },
  };
}
