import { z } from "zod";
import { invalid } from "../../../base/errors.ts";
import { bytesOfHex } from "../../../base/lib/encoding.ts";
import { minuteMs, secondMs } from "../../../base/lib/time/durations.ts";
import { isHmacOf } from "../../hmac.ts";
import { UnknownOutcomeError } from "../../port.ts";
import type { AddressedSenderInput, AddressedWebhooks, StoreWebhook, WebhookSender } from "../../webhooks.ts";
import { findConnection, readConnection } from "../connection.ts";
import { topics } from "./topics.ts";

/** Stripe's webhooks, which name nobody: their address says whose they are. https://docs.stripe.com/webhooks */
export const stripeWebhooks: AddressedWebhooks = {
  findSender,
  read: readWebhook,
  kindOf: (topic) => topics.get(topic)?.kind,
};

async function findSender(input: AddressedSenderInput): Promise<WebhookSender | undefined> {
  const signature = readSignature(input.headers.get("Stripe-Signature") ?? "");
  if (!signature || Math.abs(signature.timestampMs - input.realNow.getTime()) > toleranceMs) return undefined;
  const secrets = await openSecrets(input);
  if (secrets.length === 0) return undefined;
  return {
    account_id: input.accountId,
    hasSigned: (body) => isSignedByAny(secrets, signature, body),
  };
}

/** The tolerance of Stripe's libraries, so that a webhook that somebody has recorded is worth nothing afterwards. */
const toleranceMs = 5 * minuteMs;

type Signature = { timestamp: string; timestampMs: number; claims: Uint8Array<ArrayBuffer>[] };

/** `t=…,v1=…,v1=…`: one for each secret while one is replaced. Other schemes prove nothing: https://docs.stripe.com/webhooks#verify-manually */
function readSignature(header: string): Signature | undefined {
  const parts = header.slice(0, maxHeaderLength).split(",");
  const valuesOf = (name: string) =>
    parts.flatMap((part) => (part.startsWith(`${name}=`) ? [part.slice(name.length + 1)] : []));
  const [timestamp] = valuesOf("t");
  const claims = valuesOf("v1").filter((hex) => /^[0-9a-f]{64}$/.test(hex));
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp) || claims.length === 0) return undefined;
  return {
    timestamp,
    timestampMs: Number(timestamp) * secondMs,
    claims: claims.slice(0, maxClaims).map((hex) => bytesOfHex(hex)),
  };
}

const maxHeaderLength = 2048;
const maxClaims = 10;

/** Operators have to see that a key does not open the secrets. */
async function openSecrets({ db, env, accountId, log }: AddressedSenderInput): Promise<string[]> {
  if (!(await findConnection(db, accountId))) return [];
  try {
    return (await readConnection(db, env.STORE_CREDENTIALS_KEY, accountId)).credentials.webhook_secrets;
  } catch (error) {
    if (!(error instanceof UnknownOutcomeError)) throw error;
    log("webhook_secret_unreadable", { alert: true, account_id: accountId, cause: error.message });
    return [];
  }
}

async function isSignedByAny(
  secrets: string[],
  { timestamp, claims }: Signature,
  body: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const head = new TextEncoder().encode(`${timestamp}.`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  return isHmacOf(signed, claims, secrets);
}

const eventSchema = z.object({
  id: z.string().regex(/^evt_\w{1,250}$/),
  type: z.string(),
  data: z.object({ object: z.unknown() }),
});

/** Nothing is taken from what Stripe says but whose record to ask for, so that late, repeated and reordered webhooks do no harm. */
function readWebhook(accountId: string, payload: unknown): StoreWebhook | undefined {
  const parsed = eventSchema.safeParse(payload);
  if (!parsed.success)
    throw invalid(parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message })));
  const { id, type, data } = parsed.data;
  const subject = topics.get(type)?.subjectOf(data.object, accountId);
  return subject === undefined ? undefined : { webhook_id: id, topic: type, subject };
}
