import { credentialsKeyOf } from "../base/env.ts";
import { seal, unseal } from "../base/lib/secrets/sealed.ts";
import { type Created, type Ctx, keepCreated } from "./context.ts";

/** Keeps a secret that is answered once with the request's Idempotency-Key, sealed: the records that the request makes hold its hash alone. */
export async function keepSecret(ctx: Ctx, text: string): Promise<void> {
  if (ctx.created) keepCreated(ctx, { secret: await seal(credentialsKeyOf(ctx.env), ownerOf(ctx), text) });
}

/** The secret that an earlier request with this key has kept; undefined where it had none. */
export async function openKeptSecret(ctx: Ctx, { secret }: Created): Promise<string | undefined> {
  return secret === "" ? undefined : unseal(credentialsKeyOf(ctx.env), ownerOf(ctx), secret);
}

function ownerOf({ account }: Ctx): string {
  return `kept secret ${account.id}`;
}
