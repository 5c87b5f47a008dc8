/** IANA's registry of special-use names (RFC 6761, with RFC 6762, 7686, 8375 and 9476), and `arpa`, which is no hosts' (RFC 3172). */
const specialUse = ["alt", "arpa", "invalid", "local", "localhost", "onion", "test"];

/** ICANN's reservation for private use (Board resolution 2024.07.29.06), and the names of private networks in RFC 6762, appendix G. */
const privateUse = ["corp", "home", "internal", "intranet", "lan", "private"];

/** Names that programs give to networks though nobody has reserved them: routers, Kubernetes (`NAME.NAMESPACE.svc`), Consul. */
const byPrograms = ["cluster", "consul", "localdomain", "svc"];

/** Servers of cloud platforms that tell a machine its credentials: Google Cloud, Tencent Cloud; others' are below `internal`. */
const metadata = ["metadata.goog", "metadata.tencentyun.com"];

/** DNS services that answer the address which stands in the name, as their own pages say. */
const wildcards = [
  "1u.ms",
  "anyip.dev",
  "backname.io",
  "ip6.name",
  "ipq.co",
  "local-ip.co",
  "local-ip.sh",
  "nip.io",
  "rbndr.us",
  "sslip.io",
  "traefik.me",
  "xip.io",
  "xip.name",
];

/** Names below which everything is 127.0.0.1, for developers. */
const loopbacks = [
  "127-0-0-1.org.uk",
  "ddev.site",
  "lacolhost.com",
  "localho.st",
  "localhost.direct",
  "localhost.tv",
  "localhst.co.uk",
  "localtest.me",
  "lvh.me",
  "vcap.me",
];

/** Names that count as inside with all names below them. Whatever else a name leads to, the platform's own network decides. */
export const inwardNames = [
  ...specialUse,
  ...privateUse,
  ...byPrograms,
  ...metadata,
  ...wildcards,
  ...loopbacks,
];

/** The beginning of a pattern of lower-case URLs: the host that follows is none of the names that count as inside. */
export const outwardUrl = `^https://(?!([^/:?]*\\.)?(${inwardNames.join("|").replaceAll(".", "\\.")})([:/?]|$))`;

/** Whether a host, as the platform parses it, is a public DNS name: no IP address, no single label, nothing that leads inward. */
export function isPublicName(host: string): boolean {
  const labels = host.split(".");
  const last = host.slice(host.lastIndexOf(".") + 1);
  return (
    labels.length > 1 &&
    host.length <= 253 &&
    labels.every((one) => label.test(one)) &&
    !/^\d+$|^0x/.test(last) &&
    !inwardNames.some((name) => host === name || host.endsWith(`.${name}`))
  );
}

/** Whether a host, as the platform parses it, is this machine itself. */
export function isLoopback(host: string): boolean {
  return loopback.test(host);
}

/** Why a text is no origin that links can be made of; undefined if it is: https, or http on this machine itself. */
export function findPublicUrlFault(text: string): string | undefined {
  if (!URL.canParse(text)) return "must be an origin, such as https://subscriptions.example.com";
  const { protocol, hostname, origin } = new URL(text);
  const isReachable = protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
  if (!isReachable) return "must begin with https://";
  return text === origin ? undefined : `must be an origin alone: ${origin}`;
}

const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
const loopback = /^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/;
