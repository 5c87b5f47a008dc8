import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Caller } from "../cases.ts";
import { send } from "./clients.ts";

/** Takes the events of an endpoint, and counts them. */
export async function openReceiver(): Promise<{ url: string; received: () => number; close: () => void }> {
  let received = 0;
  const server = createServer((asked, answer) => {
    asked.resume().on("end", () => {
      received++;
      answer.end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, received: () => received, close: () => server.close() };
}

export async function addEndpoint(address: string, url: string, { key }: Caller): Promise<void> {
  const { status, text } = await send(address, {
    method: "POST",
    path: "/api/webhook-endpoints",
    headers: { ...key, "Content-Type": "application/json" },
    body: JSON.stringify({ url, event_types: ["billing.*", "order.*"] }),
  });
  if (status !== 201) throw new Error(`No endpoint: ${status} ${text}`);
}
