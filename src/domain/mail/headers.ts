import { RefusedError } from "./port.ts";

/**
 * The header fields of a mail. The only maker of header fields: none of them holds a line break or another control character, by which a
 * name could begin a field of its own (RFC 5322 §2.2). Throws RefusedError.
 */
export function mailHeaders({ from, reply_to, to, subject }: Fields): Headers {
  const headers = {
    from: mailbox(requireOneLine(from.name), requireOneLine(from.address)),
    reply_to: reply_to === null ? null : requireOneLine(reply_to),
    to: requireOneLine(to),
    subject: requireOneLine(subject),
  };
  return headers;
}

type Fields = {
  from: { name: string; address: string };
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

/** `"Name" <address>`: a quoted name may have every character but its own quotes (RFC 5322 §3.2.4). */
function mailbox(name: string, address: string): string {
  return name === "" ? address : `"${name.replaceAll(/["\\]/g, "\\$&")}" <${address}>`;
}
