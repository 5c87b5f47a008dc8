/** Stands in for "cloudflare:sockets": connections to mail servers. */
import type { Socket } from "node:net";
import { Readable, Writable } from "node:stream";
import { connect as connectTls } from "node:tls";
import { connectOutward } from "./guard.ts";

export function connect(
  { hostname, port }: { hostname: string; port: number },
  { secureTransport = "off" } = {},
) {
  const socket = connectOutward({ host: hostname, port });
  const wrapped = wrap(socket, hostname, "connect");
  return secureTransport === "on" ? wrapped.startTls() : wrapped;
}

function wrap(socket: Socket, host: string, event: "connect" | "secureConnect") {
  const opened = new Promise((resolve, reject) => {
    socket.once(event, () => resolve({}));
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("The connection was closed")));
  });
  opened.catch(() => undefined);
  // Whoever reads or writes learns of it; without a listener it would end the process.
  socket.on("error", () => undefined);
  let ends: { readable: ReadableStream; writable: WritableStream } | undefined;
  // Made once they are asked for: who begins TLS at once takes the socket before anything was read of it.
  const open = () => {
    ends ??= {
      readable: Readable.toWeb(socket) as unknown as ReadableStream,
      writable: Writable.toWeb(socket),
    };
    return ends;
  };
  return {
    opened,
    get readable() {
      return open().readable;
    },
    get writable() {
      return open().writable;
    },
    close: async () => void socket.destroy(),
    startTls: () => wrap(connectTls({ socket, servername: host }), host, "secureConnect"),
  };
}
