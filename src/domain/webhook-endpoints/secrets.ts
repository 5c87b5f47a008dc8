import type { Account } from "../../base/accounts/tables.ts";
import { credentialsKeyOf } from "../../base/env.ts";
import { randomSecret, seal, unseal } from "../../base/lib/secrets/sealed.ts";
import { later } from "../../base/lib/time/dates.ts";
import { dayMs } from "../../base/lib/time/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import type { WebhookEndpoint } from "./tables.ts";

/** The context that a secret is sealed in: it opens only for this endpoint of this account. */
export function ownerOf(account: Pick<Account, "id">, { id }: Pick<WebhookEndpoint, "id">): string {
  return `${account.id} ${id}`;
}

/** A new secret in clear, to be shown once, and sealed, to be stored. */
export async function newSecret(
  { env, account }: Ctx,
  endpoint: Pick<WebhookEndpoint, "id">,
): Promise<{ secret: string; sealedSecret: string }> {
  const secret = prefix + randomSecret(secretBytes);
  return { secret, sealedSecret: await seal(credentialsKeyOf(env), ownerOf(account, endpoint), secret) };
}

/** The secret of an endpoint. */
export function openSecret({ env, account }: Ctx, endpoint: WebhookEndpoint): Promise<string> {
  return unseal(credentialsKeyOf(env), ownerOf(account, endpoint), endpoint.secret);
}

/** The columns of an endpoint after a rotation: the previous secret also signs for another day. */
export function rotateColumns({ realNow }: Ctx, { secret }: WebhookEndpoint, sealedSecret: string) {
  return {
    secret: sealedSecret,
    previous_secret: secret,
    previous_secret_until: later(realNow, overlapMs),
  };
}

/** Every secret that signs at present, the newest first. */
export async function openSigningSecrets(ctx: Ctx, endpoint: WebhookEndpoint): Promise<string[]> {
  const { previous_secret, previous_secret_until } = endpoint;
  const current = await openSecret(ctx, endpoint);
  const isOver = previous_secret_until === null || previous_secret_until <= ctx.realNow;
  if (previous_secret === null || isOver) return [current];
  return [current, await unseal(credentialsKeyOf(ctx.env), ownerOf(ctx.account, endpoint), previous_secret)];
}

/** By the Standard Webhooks specification: 24 to 64 bytes in base64 after this prefix. */
const prefix = "whsec_";
const secretBytes = 32;
const overlapMs = dayMs;
