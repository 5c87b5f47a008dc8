import { asciiDomain } from "../../base/lib/email-address.ts";
import { RefusedError } from "./port.ts";
import type { MailSettings } from "./settings.ts";

/**
 * The header fields of a mail. The only maker of header fields: none of them holds a line break or another control character, by which a
 * name could begin a field of its own (RFC 5322 §2.2). Throws RefusedError.
 */
export function mailHeaders({ from, reply_to, to, subject }: Fields): Headers {
  return {
    from: writeMailbox({ name: requireOneLine(from.name), address: requireAddress(from.address) }),
    reply_to: reply_to === null ? null : requireAddress(reply_to),
    to: requireAddress(to),
    subject: requireOneLine(subject),
  };
}

type Sender = Pick<MailSettings, "from_name" | "from_address" | "reply_to">;

/** The header fields of a mail from the shop. */
export function headersOf(
  { from_name, from_address, reply_to }: Sender,
  { to, subject }: { to: string; subject: string },
): Headers {
  const from = { name: from_name, address: from_address ?? localAddress };
  return mailHeaders({ from, reply_to, to, subject });
}

/** The sender where the provider `log` has no other. */
const localAddress = "shop@example.com";

type Mailbox = { name: string; address: string };
type Fields = {
  from: Mailbox;
  reply_to: string | null;
  to: string;
  subject: string;
};
type Headers = Omit<Fields, "from"> & { from: string };

/** Whether a text has a character that a header field must not have. */
export function hasControl(text: string): boolean {
  return controls.test(text);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

function requireOneLine(text: string): string {
  if (hasControl(text)) throw new RefusedError("line_break_in_header", true);
  return text;
}

/** An address with its domain in ASCII. */
function requireAddress(text: string): string {
  const at = requireOneLine(text).lastIndexOf("@") + 1;
  const domain = text.slice(at);
  if (/^[!-~]*$/.test(domain)) return text;
  const ascii = asciiDomain(domain);
  if (!ascii) throw new RefusedError("no_such_domain", true);
  return text.slice(0, at) + ascii;
}

/** `"Name" <address>`: a quoted name may have every character but its own quotes (RFC 5322 §3.2.4). */
function writeMailbox({ name, address }: Mailbox): string {
  return name === "" ? address : `"${name.replaceAll(/["\\]/g, "\\$&")}" <${address}>`;
}

/** The name and the address of what `mailHeaders` has made. */
export function parseMailbox(text: string): Mailbox {
  const [, name = "", address = text] = /^"(.*)" <(.*)>$/.exec(text) ?? [];
  return { name: name.replaceAll(/\\(.)/g, "$1"), address };
}
