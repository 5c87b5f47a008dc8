import type { Env } from "../../../base/env.ts";

/** The app of a deployment that hosts for several merchants: they install it with OAuth. */
export type App = {
  clientId: string;
  /** The newest first; two while the secret is rotated. */
  secrets: [string, ...string[]];
};

/** Undefined where the deployment has no app: each account is connected by the operator then. */
export function appOf({ STORE_CLIENT_ID: clientId, STORE_CLIENT_SECRET: secrets }: Env): App | undefined {
  const [secret, ...others] = secrets;
  return clientId === undefined || secret === undefined
    ? undefined
    : { clientId, secrets: [secret, ...others] };
}
