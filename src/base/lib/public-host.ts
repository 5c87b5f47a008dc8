/**
 * Names that are not public, with all names below them: RFC 6761 (localhost, test, invalid), RFC 6762 (local, and the names of private
 * networks in its appendix G), RFC 7686 (onion), RFC 3172 and RFC 8375 (arpa, home.arpa), ICANN's reservation of .internal.
 */
export const inwardNames = [
  "arpa",
  "corp",
  "internal",
  "intranet",
  "invalid",
  "lan",
  "local",
  "localhost",
  "onion",
  "test",
];

/** Whether a host, as the platform parses it, is a public DNS name: no IP address, no single label, nothing that leads inward. */
export function isPublicName(host: string): boolean {
  const labels = host.split(".");
  const last = host.slice(host.lastIndexOf(".") + 1);
  return (
    labels.length > 1 &&
    host.length <= 253 &&
    labels.every((one) => label.test(one)) &&
    !/^\d+$|^0x/.test(last) &&
    !inwardNames.includes(last)
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
