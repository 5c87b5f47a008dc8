import type { Env } from "../../../base/env.ts";
import { isPublicName } from "../../../base/lib/public-host.ts";
import { apiUrlOf } from "../client.ts";

/** The address of an account's webhooks; undefined where Stripe could not reach it. A stand-in on this machine reaches any. */
export function webhooksUriOf(env: Env, accountId: string): string | undefined {
  const { protocol, hostname } = new URL(env.PUBLIC_URL);
  const isReachable = (protocol === "https:" && isPublicName(hostname)) || apiUrlOf(env) !== undefined;
  return isReachable ? `${env.PUBLIC_URL}/webhooks/stripe/${accountId}` : undefined;
}
