import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { TLSSocket } from "node:tls";

/** The steps of a session, each named for what the server is to reply to. */
export const steps = [
  "greeting",
  "EHLO",
  "STARTTLS",
  "AUTH",
  "MAIL",
  "RCPT",
  "DATA",
  "body",
  "QUIT",
] as const;
export type Step = (typeof steps)[number];

/** A server that does as it should, but for what it does at one step in place of its reply. */
export type Script = {
  at?: Step;
  does?: (socket: Socket, reply: string, connection: Socket) => void;
  extensions?: string[];
};

export type MailServer = {
  port: number;
  /** The lines and the mails that it was told. */
  told: { inClear: string[]; overTls: string[] };
  /** Its connections, in their order. */
  sockets: Socket[];
  close: () => void;
};

/** The certificate of `localhost`, and its key. Nothing trusts it but the runtime of these tests. */
export const certificatePath = new URL("localhost.pem", import.meta.url).pathname;
const pem = readFileSync(certificatePath);

/** Serves mail on this machine. */
export async function serveMail(script: Script = {}): Promise<MailServer> {
  const told: MailServer["told"] = { inClear: [], overTls: [] };
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    void converse(socket, script, told, socket);
  });
  await once(server.listen(0, "localhost"), "listening");
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port: (server.address() as { port: number }).port, told, sockets, close };
}

/** Speaks over a socket, which is that of a connection or its TLS. */
async function converse(
  socket: Socket,
  script: Script,
  told: MailServer["told"],
  connection: Socket,
): Promise<void> {
  const { at, does, extensions = ["STARTTLS", "AUTH PLAIN LOGIN"] } = script;
  const isEncrypted = socket instanceof TLSSocket;
  const read = openReader(socket, isEncrypted ? told.overTls : told.inClear);
  const reply = (step: Step, text: string) =>
    step === at && does ? does(socket, `${text}\r\n`, connection) : socket.write(`${text}\r\n`);

  if (!isEncrypted) reply("greeting", "220 ready");
  for (;;) {
    const line = await read("\r\n");
    const [command] = line.split(" ");
    if (command === "EHLO") reply("EHLO", replyOf(["localhost", ...extensions]));
    else if (command === "STARTTLS") {
      reply("STARTTLS", "220 go on");
      if (at === "STARTTLS") continue;
      socket.removeAllListeners("data");
      return converse(
        new TLSSocket(socket, { isServer: true, key: pem, cert: pem }),
        script,
        told,
        connection,
      );
    } else if (command === "AUTH") {
      for (const prompt of line === "AUTH LOGIN" ? ["334 VXNlcm5hbWU6", "334 UGFzc3dvcmQ6"] : []) {
        socket.write(`${prompt}\r\n`);
        await read("\r\n");
      }
      reply("AUTH", "235 welcome");
    } else if (command === "MAIL" || command === "RCPT") reply(command, "250 ok");
    else if (command === "DATA") {
      reply("DATA", "354 go on");
      await read("\r\n.\r\n");
      reply("body", "250 taken");
    } else if (command === "QUIT") reply("QUIT", "221 bye");
    else reply("greeting", "500 what?");
  }
}

/** Reads a text of the client up to its end, and notes it. */
function openReader(socket: Socket, told: string[]): (end: string) => Promise<string> {
  let unread = "";
  let wake = () => {};
  socket.on("error", () => undefined);
  socket.on("data", (bytes) => {
    unread += bytes;
    wake();
  });
  return async (end) => {
    while (!unread.includes(end)) await new Promise<void>((resolve) => (wake = resolve));
    const text = unread.slice(0, unread.indexOf(end));
    unread = unread.slice(text.length + end.length);
    told.push(text);
    return text;
  };
}

function replyOf(texts: string[]): string {
  return texts.map((text, index) => `250${index < texts.length - 1 ? "-" : " "}${text}`).join("\r\n");
}
