import { RefusedError } from "../../port.ts";

/** A server's reply: its code, and the text of each of its lines (RFC 5321 §4.2). */
export type Reply = { code: number; texts: string[] };

/** Reads the replies of a server: each has an end, or a limit. Whoever waits for one bounds how long. */
export function openReplies(reader: Pick<ReadableStreamDefaultReader<Uint8Array>, "read">) {
  const decoder = new TextDecoder();
  let unread = "";

  async function readLine(): Promise<string> {
    while (!unread.includes("\n")) {
      if (unread.length > lineLengthMax) throw notSmtp();
      const { value, done } = await reader.read();
      if (done) throw unreachable();
      unread += decoder.decode(value, { stream: true });
    }
    const [line = ""] = unread.split("\n", 1);
    unread = unread.slice(line.length + 1);
    return line.trimEnd();
  }

  return {
    /** Throws RefusedError where the server has said more than it was asked. */
    requireNoMore(): void {
      if (unread !== "") throw notSmtp();
    },

    /** The next reply. Throws RefusedError where the server has gone or does not speak SMTP. */
    async next(): Promise<Reply> {
      const texts: string[] = [];
      while (texts.length < linesMax) {
        const [, code, sign, text = ""] = /^([2-5]\d\d)(?:([ -])(.*))?$/.exec(await readLine()) ?? [];
        if (code === undefined) throw notSmtp();
        texts.push(text);
        if (sign !== "-") return { code: Number(code), texts };
      }
      throw notSmtp();
    },
  };
}

/** A line has at most 512 bytes (RFC 5321 §4.5.3.1.5), and no reply has more lines than there are extensions. */
const [lineLengthMax, linesMax] = [1000, 100];

/** The server was not reached, or has gone, before it had the mail. */
export function unreachable(): RefusedError {
  return new RefusedError("smtp_unreachable", false);
}

function notSmtp(): RefusedError {
  return new RefusedError("smtp_bad_reply", false);
}
