import { isDeployed } from "../../base/env.ts";
import type { Ctx } from "../../kit/context.ts";
import type { WebhookEndpoint } from "../webhook-endpoints/tables.ts";
import { type MailCredentials, openCredentials } from "./credentials.ts";
import { type MailSender, RefusedError } from "./port.ts";
import { findServerFault } from "./server.ts";
import type { MailProvider } from "./tables.ts";

/** The provider of a mail endpoint. Each is loaded when it is first needed. Throws RefusedError where the settings lack something. */
export async function openSender(
  ctx: Ctx,
  provider: MailProvider,
  endpoint: WebhookEndpoint,
): Promise<MailSender> {
  const credentials = await openCredentials(ctx, endpoint);
  switch (provider) {
    case "log":
      if (isDeployed(ctx.env.ENVIRONMENT)) throw new RefusedError("log_is_for_local_development", false);
      return openLog(ctx);
    case "resend": {
      const { openResend } = await import("./providers/resend.ts");
      return openResend(ctx, { api_key: required(credentials, "api_key") });
    }
    case "postmark": {
      const { openPostmark } = await import("./providers/postmark.ts");
      return openPostmark(ctx, { server_token: required(credentials, "server_token") });
    }
    case "smtp": {
      const host = required(credentials, "host");
      const port = required(credentials, "port");
      const fault = findServerFault({ host, port }, ctx.env);
      if (fault !== undefined) throw new RefusedError(`${fault.path}_not_allowed`, false);
      const { openSmtp } = await import("./providers/smtp.ts");
      const [user, password] = [required(credentials, "user"), required(credentials, "password")];
      return openSmtp({ host, port, user, password });
    }
    default:
      throw new RefusedError("no_provider", false);
  }
}

function required<Name extends keyof MailCredentials>(
  credentials: MailCredentials,
  name: Name,
): NonNullable<MailCredentials[Name]> {
  const value = credentials[name];
  if (value === undefined) throw new RefusedError(`no_${name}`, false);
  return value;
}

/** Prints mails to the terminal of a local server; its log of mails keeps the newest. Nobody is written to. */
function openLog(ctx: Pick<Ctx, "log" | "newId">): MailSender {
  return {
    async send({ from, to, subject, text }) {
      ctx.log("mail", { from, to, subject, text });
      return { id: ctx.newId() };
    },
  };
}
