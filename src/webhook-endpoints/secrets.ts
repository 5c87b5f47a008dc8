import type { Ctx } from "../context.ts";
import { credentialsKeyOf } from "../env.ts";
import { later } from "../lib/dates.ts";
import { randomSecret, seal, unseal } from "../lib/sealed.ts";
import type { WebhookEndpoint } from "./tables.ts";

/** By the Standard Webhooks specification: 24 to 64 bytes in base64 after this prefix. */
const prefix = "whsec_";
const secretBytes = 32;
const overlapMs = 24 * 3_600_000;

type Owner = Pick<WebhookEndpoint, "account_id" | "id">;

/** The context that a secret is sealed in: it opens only for this endpoint of this account. */
export const ownerOf = ({ account_id, id }: Owner): string => `${account_id} ${id}`;

/** A new secret in clear, to be shown once, and sealed, to be stored. */
export const newSecret = async (
  { env }: Ctx,
  owner: Owner,
): Promise<{ secret: string; sealedSecret: string }> => {
  const secret = prefix + randomSecret(secretBytes);
  return { secret, sealedSecret: await seal(credentialsKeyOf(env), ownerOf(owner), secret) };
};

/** The secret of an endpoint. */
export const secretOf = ({ env }: Ctx, endpoint: WebhookEndpoint): Promise<string> =>
  unseal(credentialsKeyOf(env), ownerOf(endpoint), endpoint.secret);

/** The columns of an endpoint after a rotation: the previous secret also signs for another day. */
export const rotated = ({ realNow }: Ctx, { secret }: WebhookEndpoint, sealedSecret: string) => ({
  secret: sealedSecret,
  previous_secret: secret,
  previous_secret_until: later(realNow, overlapMs),
});

/** Every secret that signs at present, the newest first. */
export const signingSecrets = async (ctx: Ctx, endpoint: WebhookEndpoint): Promise<string[]> => {
  const { previous_secret, previous_secret_until } = endpoint;
  const current = await secretOf(ctx, endpoint);
  const isOver = previous_secret_until === null || previous_secret_until <= ctx.realNow;
  if (previous_secret === null || isOver) return [current];
  return [current, await unseal(credentialsKeyOf(ctx.env), ownerOf(endpoint), previous_secret)];
};
