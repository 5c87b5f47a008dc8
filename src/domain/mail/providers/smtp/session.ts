import { base64 } from "../../../../base/lib/encoding.ts";
import { RefusedError, UnknownSendError } from "../../port.ts";
import type { Connection } from "./connection.ts";
import type { Message } from "./message.ts";
import type { Reply } from "./replies.ts";

/** The extensions that a server offers, each with its parameters. */
type Extensions = Map<string, string[]>;
type Login = { user: string; password: string };

/**
 * Signs in, over TLS alone: a server without it, or whoever stands between, is told no password. Returns what the server offers. Throws
 * RefusedError, which is not final: it is about the settings.
 */
export async function signIn(connection: Connection, login: Login, domain: string): Promise<Extensions> {
  requireReply(await connection.ask(), 2);
  let extensions = await greet(connection, domain);
  if (!connection.isEncrypted()) {
    if (!extensions.has("STARTTLS")) throw new RefusedError("smtp_without_tls", false);
    requireReply(await connection.ask("STARTTLS\r\n"), 2);
    await connection.encrypt();
    extensions = await greet(connection, domain);
  }
  await authenticate(connection, login, extensions.get("AUTH") ?? []);
  return extensions;
}

/**
 * Hands a mail over. Throws RefusedError, which is final for a code from 500 on (RFC 5321 §4.2.1), or UnknownSendError where the server has
 * the mail and does not say what became of it.
 */
export async function handOver(connection: Connection, mail: Message, extensions: Extensions): Promise<void> {
  if (mail.isUtf8 && !extensions.has("SMTPUTF8")) throw new RefusedError("smtp_without_smtputf8", true);
  const isAboutMail = true;
  const sender = `MAIL FROM:<${mail.from}>${mail.isUtf8 ? " SMTPUTF8" : ""}\r\n`;
  requireReply(await connection.ask(sender), 2, isAboutMail);
  requireReply(await connection.ask(`RCPT TO:<${mail.to}>\r\n`), 2, isAboutMail);
  requireReply(await connection.ask("DATA\r\n"), 3, isAboutMail);
  const reply = await connection.handOver(`${stuffDots(mail.data)}.\r\n`);
  if (!reply || isOf(reply, 3)) throw new UnknownSendError("the mail server did not say what became of it");
  requireReply(reply, 2, isAboutMail);
}

/** EHLO (RFC 5321 §4.1.1.1): each line of the reply names an extension. */
async function greet(connection: Connection, domain: string): Promise<Extensions> {
  const reply = requireReply(await connection.ask(`EHLO ${domain}\r\n`), 2);
  const words = reply.texts.map((text) => text.toUpperCase().split(/[ =]+/));
  return new Map(words.map(([keyword = "", ...parameters]) => [keyword, parameters]));
}

/** AUTH PLAIN (RFC 4616), or LOGIN, which some servers have alone. */
async function authenticate(
  connection: Connection,
  { user, password }: Login,
  mechanisms: string[],
): Promise<void> {
  if (mechanisms.includes("PLAIN")) {
    requireReply(await connection.ask(`AUTH PLAIN ${base64(`\0${user}\0${password}`)}\r\n`), 2);
  } else if (mechanisms.includes("LOGIN")) {
    requireReply(await connection.ask("AUTH LOGIN\r\n"), 3);
    requireReply(await connection.ask(`${base64(user)}\r\n`), 3);
    requireReply(await connection.ask(`${base64(password)}\r\n`), 2);
  } else throw new RefusedError("smtp_without_auth", false);
}

/** A reply whose code has this first digit. A code that is about the settings is no final refusal of the mail. */
function requireReply(reply: Reply, digit: 2 | 3, isAboutMail = false): Reply {
  if (isOf(reply, digit)) return reply;
  throw new RefusedError(`smtp_${reply.code}`, isAboutMail && reply.code >= 500);
}

function isOf({ code }: Reply, digit: 2 | 3): boolean {
  return Math.trunc(code / 100) === digit;
}

/** A line that begins with a dot would end the mail (RFC 5321 §4.5.2). */
function stuffDots(data: string): string {
  return data.replaceAll(/^\./gm, "..");
}
