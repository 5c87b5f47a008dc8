import { credentialsKeyOf } from "../../base/env.ts";
import { seal, unseal } from "../../base/lib/secrets/sealed.ts";
import type { Ctx } from "../../kit/context.ts";
import { ownerOf } from "../webhook-endpoints/secrets.ts";
import type { WebhookEndpoint } from "../webhook-endpoints/tables.ts";
import type { MailProvider } from "./tables.ts";

/** The credentials by which a provider is reached: of each, `credentialFields` says which it takes. */
export type MailCredentials = Partial<{
  api_key: string;
  server_token: string;
  webhook_user: string;
  webhook_password: string;
  webhook_secret: string;
  host: string;
  port: number;
  user: string;
  password: string;
}>;
type Field = keyof MailCredentials;

/** Each provider's credentials: what it cannot do without, and what its webhooks are proven by besides. */
export const credentialFields: Record<MailProvider, { needed: Field[]; optional: Field[] }> = {
  none: { needed: [], optional: [] },
  log: { needed: [], optional: [] },
  resend: { needed: ["api_key"], optional: ["webhook_secret"] },
  postmark: { needed: ["server_token"], optional: ["webhook_user", "webhook_password"] },
  smtp: { needed: ["host", "port", "user", "password"], optional: [] },
};

/** The credentials of a mail endpoint are kept where another has its secret, so that they are sealed anew with all others; empty where there are none. */
export async function sealCredentials(
  { env, account }: Ctx,
  endpoint: Pick<WebhookEndpoint, "id">,
  credentials: MailCredentials,
): Promise<string> {
  if (Object.keys(credentials).length === 0) return "";
  return seal(credentialsKeyOf(env), ownerOf(account, endpoint), JSON.stringify(credentials));
}

export async function openCredentials(
  { env, account }: Ctx,
  endpoint: Pick<WebhookEndpoint, "id" | "secret">,
): Promise<MailCredentials> {
  if (endpoint.secret === "") return {};
  return JSON.parse(await unseal(credentialsKeyOf(env), ownerOf(account, endpoint), endpoint.secret));
}
