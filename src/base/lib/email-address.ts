import { domainToUnicode } from "node:url";
import { fold } from "./text.ts";

/** An e-mail address as it is compared: in any case, its domain in ASCII. */
export function emailKey(email: string): string {
  const { local, domain } = partsOf(email);
  return fold(local) + (asciiDomain(domain) ?? fold(domain));
}

/** The forms in which people write an e-mail address: as it is, and with its domain in ASCII and in its own letters. */
export function formsOfEmail(email: string): string[] {
  const { local, domain } = partsOf(email);
  const ascii = asciiDomain(domain);
  if (!ascii?.includes("xn--")) return [email];
  return [...new Set([email, local + ascii, local + domainToUnicode(ascii)])];
}

/** A domain in ASCII, in which mail servers know each other (RFC 5890 §2.3.2.1); undefined for a text that is none. */
export function asciiDomain(domain: string): string | undefined {
  if (/^[!-~]*$/.test(domain)) return domain.toLowerCase();
  // Other characters would end the host of a URL, or be decoded in it.
  if (/[^\w.\-\u0080-\u{10ffff}]/u.test(domain)) return undefined;
  return URL.parse(`http://${domain}`)?.hostname || undefined;
}

/** The part with the at sign, and the domain. */
function partsOf(email: string): { local: string; domain: string } {
  const at = email.lastIndexOf("@") + 1;
  return { local: email.slice(0, at), domain: email.slice(at) };
}
