import { ownOriginsOf } from "../../base/accounts/portal-address.ts";
import { isLoopback, isPublicName } from "../../base/lib/public-host.ts";
import type { Ctx } from "../../kit/context.ts";

/** Why no event of an account is sent to a URL; undefined if they are. Asked when the URL is set, and again with each delivery. */
export function findUrlFault(ctx: Pick<Ctx, "env" | "account">, url: string): string | undefined {
  const { ENVIRONMENT } = ctx.env;
  return findEndpointUrlFault(url, { isLocal: ENVIRONMENT === "local", ownOrigins: ownOriginsOf(ctx) });
}

/**
 * Why events are not sent to a URL; undefined if they are. It judges the URL as the platform parses it, so other spellings of
 * an address (decimal, hexadecimal, full width) count as that address.
 */
export function findEndpointUrlFault(text: string, { isLocal, ownOrigins }: Reach): string | undefined {
  if (!URL.canParse(text) || /\s/.test(text)) return "must be a URL";
  const url = new URL(text);
  if (url.protocol !== "https:" && !(isLocal && url.protocol === "http:")) return https;
  if (url.username !== "" || url.password !== "" || userInfo.test(text)) return "must not name a user";
  if (url.hash !== "" || text.includes("#")) return "must not have a fragment";
  if (ownOrigins.some((origin) => isSameHost(url, new URL(origin)))) return own;
  if (isLocal && isLoopback(url.hostname)) return undefined;
  if (!isPublicName(url.hostname)) return publicName;
  return isLocal || publicPorts.includes(url.port) ? undefined : "must have port 443 or 8443";
}

const publicPorts = ["", "443", "8443"];
/** Finds an empty user name too, which the parsed URL no longer shows. */
const userInfo = /^[^/?#]*[/\\]*[^/\\?#]*@/;

const https = "must begin with https://";
const publicName = "must have a public host name: no IP address, no single label, nothing that leads inward";
const own = "must not lead back to this service";

type Reach = {
  /** Whether http and loopback addresses are reached too: in a local deployment there is nobody else. */
  isLocal: boolean;
  /** The origins under which the deployment itself answers. */
  ownOrigins: string[];
};

/** Programs of one machine differ by their port; a public name is one deployment's whatever the port. */
function isSameHost(url: URL, other: URL): boolean {
  if (isLoopback(url.hostname)) return url.host === other.host;
  return url.hostname === other.hostname || isPreviewOf(url.hostname, other.hostname);
}

/** Each version of a Worker also answers at a name of its own: https://developers.cloudflare.com/workers/configuration/previews/ */
function isPreviewOf(host: string, worker: string): boolean {
  return worker.endsWith(".workers.dev") && host.endsWith(`-${worker}`);
}
