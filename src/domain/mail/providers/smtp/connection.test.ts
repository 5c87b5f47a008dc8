/** A connection to a mail server begins with TLS as its port asks, and is closed when it fails. */
import { expect, test, vi } from "vitest";
import { openConnection } from "./connection.ts";

const connect = vi.hoisted(() => vi.fn());
vi.mock("cloudflare:sockets", () => ({ connect }));

function socketThat(opened: Promise<object>) {
  const close = vi.fn(async () => undefined);
  return { opened, close, readable: new ReadableStream(), writable: new WritableStream() };
}

test.each([
  [465, "on"],
  [587, "starttls"],
])("a connection to port %i begins with TLS %s", async (port, secureTransport) => {
  connect.mockReturnValue(socketThat(Promise.resolve({})));
  const connection = await openConnection({ host: "mail.example", port });
  expect(connect).toHaveBeenLastCalledWith(
    { hostname: "mail.example", port },
    { secureTransport, allowHalfOpen: false },
  );
  expect(connection.isEncrypted()).toBe(secureTransport === "on");
});

test("a connection that fails is closed", async () => {
  const socket = socketThat(Promise.reject(new Error("refused")));
  connect.mockReturnValue(socket);
  await expect(openConnection({ host: "mail.example", port: 587 })).rejects.toThrow("smtp_unreachable");
  expect(socket.close).toHaveBeenCalledOnce();
});
