import { encodeHeader, LogLevel, WorkerMailer } from "worker-mailer";
import { secondMs } from "../../../base/lib/durations.ts";
import type { MailSender, OutgoingMail } from "../port.ts";
import { RefusedError, UnknownSendError } from "../port.ts";

type Server = { host: string; port: number; user: string; password: string };

/** A mail server, by the sockets of Workers. It knows no keys: a repetition is another mail. */
export function openSmtp({ host, port, user, password }: Server): MailSender {
  requireTlsToSignIn();
  return {
    hasKeys: false,
    async send(mail) {
      const mailer = await WorkerMailer.connect({
        ...{ host, port, secure: port === implicitTls, startTls: port !== implicitTls },
        credentials: { username: user, password },
        authType: ["plain", "login"],
        // Its log names the recipient.
        logLevel: LogLevel.NONE,
        socketTimeoutMs: timeoutMs,
      }).catch((error: unknown) => {
        throw error instanceof RefusedError
          ? error
          : new RefusedError(`smtp_${codeOf(error) ?? "unreachable"}`, false);
      });
      try {
        await mailer.send(messageOf(mail));
      } catch (error) {
        throw failureOf(error);
      } finally {
        await mailer.close().catch(() => undefined);
      }
      return { id: null };
    },
  };
}

/** On this port a connection is TLS from its first byte (RFC 8314 §3.3); on others STARTTLS begins it. */
const implicitTls = 465;
const timeoutMs = 15 * secondMs;

/**
 * The library goes on in clear with a server, or with whoever stands between, that offers no STARTTLS, and would tell it the password. Its
 * own step of signing in is therefore refused there.
 */
function requireTlsToSignIn(): void {
  const prototype = WorkerMailer.prototype as unknown as Session;
  const { auth } = prototype;
  if (guarded.has(auth)) return;
  const guardedAuth = async function (this: Session): Promise<void> {
    if (!this.secure && !this.supportsStartTls) throw new RefusedError("smtp_without_tls", false);
    return auth.call(this);
  };
  guarded.add(guardedAuth);
  prototype.auth = guardedAuth;
}

type Session = { secure: boolean; supportsStartTls: boolean; auth: (this: Session) => Promise<void> };
const guarded = new WeakSet<Session["auth"]>();

/** The library would put an encoded name into quotes, where it is not decoded (RFC 2047 §5). */
function messageOf({ from, reply_to, to, subject, html, text }: OutgoingMail) {
  const [, name = "", address = from] = /^"(.*)" <(.*)>$/.exec(from) ?? [];
  const isAscii = encodeHeader(name) === name;
  return {
    from: { email: address },
    to,
    subject,
    html,
    text,
    headers: { From: isAscii ? from : `${encodeHeader(name)} <${address}>` },
    ...(reply_to === null ? {} : { reply: reply_to }),
  };
}

/** A server's no is final from 500 on (RFC 5321 §4.2.1); without any answer it may have taken the mail. */
function failureOf(error: unknown): Error {
  const code = codeOf(error);
  if (code === undefined) return new UnknownSendError("the mail server did not answer");
  return new RefusedError(`smtp_${code}`, code >= 500);
}

/** The server's reply at the end of the library's message, whose beginning may name addresses. */
function codeOf(error: unknown): number | undefined {
  const message = error instanceof Error ? error.message : "";
  const [code] = message.match(/(?<=[ >])[45]\d\d(?=[ -])/g)?.slice(-1) ?? [];
  return code === undefined ? undefined : Number(code);
}
