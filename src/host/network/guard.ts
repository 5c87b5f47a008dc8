import { connect as connectTcp, type Socket } from "node:net";
import { Agent, buildConnector, setGlobalDispatcher } from "undici";
import { inward } from "./inward.ts";

type Address = { host: string; port: number };

/**
 * A connection to a host, which is checked at the address that it goes to: refused where that leads inward, whatever name it was asked for
 * by, so that a name cannot lead elsewhere once it was looked at (DNS rebinding). TLS begins on it afterwards: Node checks no address
 * of a connection that begins with TLS.
 */
export function connectOutward({ host, port }: Address): Socket {
  return connectTcp({ host, port, ...(isGuarded ? { blockList: inward } : {}) });
}

/** From now on this process reaches addresses of this machine and of its networks too, as local development does. */
export function trustThisMachine(): void {
  isGuarded = false;
}

let isGuarded = true;

/** From now on every request of this process connects as above. */
export function guardRequests(): void {
  const beginTls = buildConnector({ timeout: connectMs });
  setGlobalDispatcher(
    new Agent({
      connect(options, callback) {
        const { hostname, protocol, port } = options;
        const isTls = protocol === "https:";
        const socket = connectOutward({
          host: hostname.replace(/^\[|\]$/g, ""),
          port: Number(port || (isTls ? 443 : 80)),
        });
        const late = setTimeout(() => socket.destroy(new Error("The connection took too long")), connectMs);
        const failed = (error: Error) => {
          clearTimeout(late);
          callback(error, null);
        };
        socket.once("error", failed);
        socket.once("connect", () => {
          clearTimeout(late);
          socket.off("error", failed);
          if (isTls) beginTls({ ...options, httpSocket: socket }, callback);
          else callback(null, socket);
        });
      },
    }),
  );
}

const connectMs = 10_000;
