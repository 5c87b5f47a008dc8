import type { Env } from "../../base/env.ts";
import { isLoopback, isPublicName } from "../../base/lib/public-host.ts";

/**
 * Why a mail server is not connected to; undefined if it is. Its host obeys the rules of webhook URLs. Asked when it is set, and again for
 * each mail.
 */
export function findServerFault(
  { host, port }: { host: string; port: number },
  { ENVIRONMENT }: Pick<Env, "ENVIRONMENT">,
): { path: "host" | "port"; message: string } | undefined {
  const isOwn = ENVIRONMENT === "local" && isLoopback(host);
  if (!isOwn && !isPublicName(host))
    return { path: "host", message: "must be a public host name: no IP address, no single label" };
  if (!isOwn && !ports.includes(port)) return { path: "port", message: "must be 465, 587 or 2525" };
  return undefined;
}

/** Those for submission (RFC 8314 §3.3, RFC 6409 §3.1), and the one that providers offer where these are blocked. */
const ports = [465, 587, 2525];
