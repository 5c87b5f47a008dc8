import { connect } from "cloudflare:sockets";
import { secondMs } from "../../../../base/lib/time/durations.ts";
import { RefusedError } from "../../port.ts";
import { openReplies, type Reply, unreachable } from "./replies.ts";

/** A connection to a mail server. Its verbs throw RefusedError; it is of no more use then. */
export type Connection = {
  isEncrypted: () => boolean;
  /** The reply to a text; without one, that of a server that speaks first. */
  ask: (text?: string) => Promise<Reply>;
  /** The reply to a mail, which the server may think about for the rest of the session; undefined if it says nothing. */
  handOver: (mail: string) => Promise<Reply | undefined>;
  /** Goes on over TLS. */
  encrypt: () => Promise<void>;
  /** Takes leave of a server that still replies. Never throws. */
  close: () => Promise<void>;
};

/**
 * Connects to a mail server. Whatever that does, each wait for it ends by a timer of the step, and all of them by one of the session: other
 * tenants share the isolate, and the lease of a mail ends. Throws RefusedError.
 */
export async function openConnection({ host, port }: { host: string; port: number }): Promise<Connection> {
  const session = startTimer(sessionMs);
  const isTlsFirst = port === implicitTls;
  const options = { secureTransport: isTlsFirst ? "on" : "starttls", allowHalfOpen: false };
  let channel = openChannel(connect({ hostname: host, port }, options));
  let isEncrypted = isTlsFirst;
  let isOver = false;

  async function within<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
    const step = startTimer(ms);
    try {
      return await Promise.race([work(), step.end, session.end]);
    } catch (error) {
      isOver = true;
      throw error instanceof RefusedError ? error : unreachable();
    } finally {
      step.stop();
    }
  }

  async function askFor(text = ""): Promise<Reply> {
    channel.replies.requireNoMore();
    // A server that does not take all of it does not reply either.
    if (text !== "") channel.writer.write(new TextEncoder().encode(text)).catch(() => undefined);
    return channel.replies.next();
  }

  const connection: Connection = {
    isEncrypted: () => isEncrypted,
    ask: (text) => within(stepMs, () => askFor(text)),
    async handOver(mail) {
      channel.replies.requireNoMore();
      return within(sessionMs, () => askFor(mail)).catch(() => undefined);
    },
    encrypt: () =>
      within(stepMs, async () => {
        channel.replies.requireNoMore();
        channel.reader.releaseLock();
        channel.writer.releaseLock();
        channel = openChannel(channel.socket.startTls());
        await channel.socket.opened;
        isEncrypted = true;
      }),
    async close() {
      if (!isOver) await within(quitMs, () => askFor("QUIT\r\n")).catch(() => undefined);
      session.stop();
      const step = startTimer(closeMs);
      await Promise.race([channel.socket.close(), step.end]).catch(() => undefined);
      step.stop();
    },
  };

  try {
    await within(stepMs, () => channel.socket.opened);
  } catch (error) {
    await connection.close();
    throw error;
  }
  return connection;
}

/** On this port a connection is TLS from its first byte (RFC 8314 §3.3); on others STARTTLS begins it. */
const implicitTls = 465;

/** A mail has a lease of a minute, in which two of them may be sent one after the other (src/domain/webhook-endpoints/outbox.ts). */
const sessionMs = 25 * secondMs;
const stepMs = 15 * secondMs;
const quitMs = 3 * secondMs;
const closeMs = secondMs;

/** The two ends of a socket. */
function openChannel(socket: Socket) {
  const reader = socket.readable.getReader();
  return { socket, reader, replies: openReplies(reader), writer: socket.writable.getWriter() };
}

/** A promise that is rejected once the time is over. */
function startTimer(ms: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unreachable()), ms);
  });
  end.catch(() => undefined);
  return { end, stop: () => clearTimeout(timer) };
}
