import type { Ctx } from "../../kit/context.ts";
import type { WebhookEndpoint } from "../webhook-endpoints/tables.ts";
import { type MailCredentials, openCredentials } from "./credentials.ts";
import { type MailSender, RefusedError } from "./port.ts";
import { isDeployed } from "./providers/base-url.ts";
import { openLog } from "./providers/log.ts";
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
