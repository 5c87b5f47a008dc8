import { type Env, isDeployed } from "../../../base/env.ts";

/** The address of a provider's API. A local deployment may have another on this machine in its place. */
export function apiBase(
  { MAIL_API_URL, ENVIRONMENT }: Pick<Env, "MAIL_API_URL" | "ENVIRONMENT">,
  base: string,
): string {
  return (isDeployed(ENVIRONMENT) ? undefined : MAIL_API_URL) ?? base;
}
