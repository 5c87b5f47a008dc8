import { parseMailbox } from "../../headers.ts";
import type { OutgoingMail } from "../../port.ts";
import { encodeHeaderText, isPlain } from "./header-text.ts";
import { quotedPrintable } from "./quoted-printable.ts";

/** A mail as a server takes it: its envelope, and its text without the dot that ends it. */
export type Message = {
  from: string;
  to: string;
  /** Whether an address needs a server that takes UTF-8 (RFC 6531). */
  isUtf8: boolean;
  data: string;
};

/** Writes a mail by RFC 5322 and MIME. Nothing but an address is other than ASCII in it. */
export function writeMessage(mail: OutgoingMail): Message {
  const { from, reply_to, to, subject, html, text, key, at } = mail;
  const { name, address } = parseMailbox(from);
  // Such a line is no part of text in quoted-printable.
  const boundary = `=_${key}`;
  const lines = [
    `From: ${isPlain(name, fromColumn) ? from : `${encodeHeaderText(name, fromColumn)}\r\n <${address}>`}`,
    `To: ${to}`,
    ...(reply_to === null ? [] : [`Reply-To: ${reply_to}`]),
    `Subject: ${encodeHeaderText(subject, "Subject: ".length)}`,
    `Date: ${new Date(at).toUTCString().replace("GMT", "+0000")}`,
    // A mail that comes twice is known by it.
    `Message-ID: <${key}@${domainOf(address)}>`,
    "MIME-Version: 1.0",
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    "",
    ...writePart(boundary, "text/plain", text),
    ...writePart(boundary, "text/html", html),
    `--${boundary}--`,
    "",
  ];
  const isUtf8 = !/^[!-~]*$/.test(address + to + (reply_to ?? ""));
  return { from: address, to, isUtf8, data: lines.join("\r\n") };
}

/** A name that is encoded stands without quotes, in which it would not be decoded (RFC 2047 §5). */
const fromColumn = "From: ".length;

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}

function writePart(boundary: string, type: string, body: string): string[] {
  const headers = [`Content-Type: ${type}; charset=utf-8`, "Content-Transfer-Encoding: quoted-printable"];
  return [`--${boundary}`, ...headers, "", quotedPrintable(body)];
}
