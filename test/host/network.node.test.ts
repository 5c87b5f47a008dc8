/** A name that a tenant chose leads to no address of this machine or its networks, over http, https and SMTP alike. */

import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { getGlobalDispatcher, setGlobalDispatcher } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { guardRequests, trustThisMachine } from "../../src/host/network/guard.ts";
import { inward } from "../../src/host/network/inward.ts";
import { connect } from "../../src/host/network/sockets.ts";

const before = getGlobalDispatcher();
const servers: Server[] = [];
let reached = 0;
let port: number;
beforeAll(async () => {
  const server = createServer((socket) => {
    reached++;
    socket.on("error", () => {}).end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  port = (server.address() as { port: number }).port;
  guardRequests();
});
afterAll(() => {
  setGlobalDispatcher(before);
  for (const server of servers) server.close();
});

const hosts = ["localhost", "127.0.0.1", "127.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "0.0.0.0"];

test.each(hosts.flatMap((host) => [`http://${host}`, `https://${host}`]))(
  "%s is not reached",
  async (url) => {
    const failure = await fetch(`${url}:${port}/`).catch((error) => error.cause);
    expect(failure.code).toBe("ERR_IP_BLOCKED");
    expect(reached).toBe(0);
  },
);

test.each(["on", "starttls"])("a mail server here is not reached, TLS: %s", async (secureTransport) => {
  const { opened } = connect({ hostname: "localhost", port }, { secureTransport });
  await expect(opened).rejects.toMatchObject({ code: "ERR_IP_BLOCKED" });
  expect(reached).toBe(0);
});

test.each<[string, "ipv4" | "ipv6"]>([
  ["10.1.2.3", "ipv4"],
  ["172.31.255.255", "ipv4"],
  ["192.168.0.1", "ipv4"],
  ["100.64.0.1", "ipv4"],
  ["169.254.169.254", "ipv4"],
  ["224.0.0.1", "ipv4"],
  ["::1", "ipv6"],
  ["::ffff:10.0.0.1", "ipv6"],
  ["64:ff9b::a00:1", "ipv6"],
  ["fd00::1", "ipv6"],
  ["fe80::1", "ipv6"],
])("%s leads inward", (address, family) => {
  expect(inward.check(address, family)).toBe(true);
});

test.each<[string, "ipv4" | "ipv6"]>([
  ["1.1.1.1", "ipv4"],
  ["172.32.0.1", "ipv4"],
  ["2606:4700::1", "ipv6"],
])("%s does not", (address, family) => {
  expect(inward.check(address, family)).toBe(false);
});

test("a host that serves this machine alone may be told of servers here", async () => {
  trustThisMachine();
  expect((await fetch(`http://localhost:${port}/`)).status).toBe(200);
});
