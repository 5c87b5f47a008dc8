/** Names that are not public, with all names below them (RFC 6761, RFC 6762, ICANN's reservation of .internal). */
const inwardNames = ["localhost", "local", "internal", "test"];
const publicPorts = ["", "443", "8443"];
const loopback = /^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/;
/** Finds an empty user name too, which the parsed URL no longer shows. */
const userInfo = /^[^/?#]*[/\\]*[^/\\?#]*@/;
const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

const https = "must begin with https://";
const publicName = "must have a public host name: no IP address, no single label, nothing that leads inward";

/**
 * Why events are not sent to a URL; undefined if they are. It judges the URL as the platform parses it, so other spellings of
 * an address (decimal, hexadecimal, full width) count as that address. A local deployment also allows http and loopback
 * addresses, because there is nobody else to reach.
 */
export const endpointUrlFault = (text: string, isLocal: boolean): string | undefined => {
  if (!URL.canParse(text) || /\s/.test(text)) return "must be a URL";
  const url = new URL(text);
  if (url.protocol !== "https:" && !(isLocal && url.protocol === "http:")) return https;
  if (url.username !== "" || url.password !== "" || userInfo.test(text)) return "must not name a user";
  if (url.hash !== "" || text.includes("#")) return "must not have a fragment";
  if (isLocal && loopback.test(url.hostname)) return undefined;
  if (!isPublicName(url.hostname)) return publicName;
  return isLocal || publicPorts.includes(url.port) ? undefined : "must have port 443 or 8443";
};

function isPublicName(host: string): boolean {
  const labels = host.split(".");
  const last = labels.at(-1) ?? "";
  return (
    labels.length > 1 &&
    host.length <= 253 &&
    labels.every((one) => label.test(one)) &&
    !/^\d+$|^0x/.test(last) &&
    !inwardNames.includes(last)
  );
}
