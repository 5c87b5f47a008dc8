import { base64, sha256Hex } from "../../../base/lib/encoding.ts";
import { isSignedWebhook } from "../../../base/lib/secrets/standard-webhooks.ts";
import type { MailCredentials } from "../credentials.ts";
import type { MailProvider } from "../tables.ts";

/** A mail that has come back, or that its reader has reported. `isFinal` where its address takes no mails any more. */
export type ReturnedMail = { providerId: string; status: "BOUNCED" | "COMPLAINED"; isFinal: boolean };

type Webhook = { headers: Headers; text: string; now: Date };

/** The webhooks of a provider: how it proves them, and those of them that tell of a returned mail. */
type MailWebhooks = {
  isProven: (request: Webhook, credentials: MailCredentials) => Promise<boolean>;
  read: (body: Record<string, unknown>) => ReturnedMail | undefined;
};

export const mailWebhooks: Partial<Record<MailProvider, MailWebhooks>> = {
  resend: { isProven: isSignedByResend, read: readResend },
  postmark: { isProven: isFromPostmark, read: readPostmark },
};

/** https://resend.com/docs/dashboard/webhooks/verify-webhooks-requests: Standard Webhooks, whose headers have names of Svix. */
async function isSignedByResend(
  { headers, text, now }: Webhook,
  { webhook_secret }: MailCredentials,
): Promise<boolean> {
  if (webhook_secret === undefined) return false;
  const field = (name: string) => headers.get(`svix-${name}`) ?? headers.get(`webhook-${name}`) ?? "";
  const claimed = {
    id: field("id"),
    timestamp: field("timestamp"),
    signatures: field("signature"),
    body: text,
  };
  return isSignedWebhook(webhook_secret, claimed, now);
}

/** https://postmarkapp.com/developer/webhooks/webhooks-overview#protecting-your-webhook: the credentials of the webhook's URL. */
async function isFromPostmark(
  { headers }: Webhook,
  { webhook_user, webhook_password }: MailCredentials,
): Promise<boolean> {
  if (webhook_user === undefined || webhook_password === undefined) return false;
  const expected = `Basic ${base64(`${webhook_user}:${webhook_password}`)}`;
  const digests = await Promise.all([headers.get("authorization") ?? "", expected].map(sha256Hex));
  return digests[0] === digests[1];
}

function readResend({ type, data }: Record<string, unknown>): ReturnedMail | undefined {
  const { email_id, bounce } = membersOf(data);
  if (typeof email_id !== "string") return undefined;
  if (type === "email.complained") return { providerId: email_id, status: "COMPLAINED", isFinal: true };
  if (type !== "email.bounced") return undefined;
  return { providerId: email_id, status: "BOUNCED", isFinal: membersOf(bounce).type !== "Transient" };
}

/** https://postmarkapp.com/developer/webhooks/bounce-webhook: `Inactive` says that Postmark writes to the address no more. */
function readPostmark(body: Record<string, unknown>): ReturnedMail | undefined {
  const { RecordType, MessageID, Type, Inactive } = body;
  if (typeof MessageID !== "string") return undefined;
  if (RecordType === "SpamComplaint") return { providerId: MessageID, status: "COMPLAINED", isFinal: true };
  if (RecordType !== "Bounce") return undefined;
  return { providerId: MessageID, status: "BOUNCED", isFinal: Inactive === true || Type === "HardBounce" };
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
