import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname } from "node:path";
import { deserialize, serialize } from "node:v8";
import { type FakeStripe, newFakeStripe, type SavedAccount } from "../../test/support/fake-stripe.ts";

export type ServedStripe = {
  fake: FakeStripe;
  /** Where it answers, as STRIPE_API_URL takes it. */
  address: string;
  close(): Promise<void>;
};

/**
 * Serves the fake Stripe account on this machine: its API, its script at /v3/, the pages of Checkout and of the bank. It sends webhooks to
 * endpoints on this machine alone. With a file it goes on with the account that is kept there, which has all that was answered.
 */
export async function serveFakeStripe({ port = 0, file }: Options = {}): Promise<ServedStripe> {
  const saved = file === undefined ? undefined : readAccount(file);
  const fake = newFakeStripe({ now: Date.now, random: Math.random, reachesLoopback: true, saved });
  const keep = (): void => {
    if (file !== undefined) writeAccount(file, fake.save());
  };
  const server = createServer((request, response) => void respond(fake, { request, response, keep }));
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  fake.settings.pagesAt = address;
  const delivering = setInterval(() => void deliver(fake), deliverEveryMs);
  return {
    fake,
    address,
    async close() {
      clearInterval(delivering);
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

type Options = { port?: number; file?: string | undefined };
type Exchange = { request: IncomingMessage; response: ServerResponse; keep: () => void };

const deliverEveryMs = 200;

function readAccount(file: string): SavedAccount | undefined {
  return existsSync(file) ? deserialize(readFileSync(file)) : undefined;
}

/** All or nothing, whenever the process ends. */
function writeAccount(file: string, account: SavedAccount): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, serialize(account));
  renameSync(`${file}.new`, file);
}

async function respond(fake: FakeStripe, { request, response, keep }: Exchange): Promise<void> {
  try {
    const answer = await fake.fetch(await requestOf(request));
    if (request.method !== "GET") keep();
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(await answer.text());
  } catch {
    // A fault of the fake account: nobody answers.
    response.destroy();
  }
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const { method = "GET", url = "/", headers } = incoming;
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return new Request(new URL(url, `http://${headers.host}`), {
    method,
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]),
    ...(method === "POST" ? { body: Buffer.concat(chunks) } : {}),
  });
}

/** In a sandbox, Stripe tries a delivery three times more (docs.stripe.com/webhooks): here after seconds, not hours. */
const retryAfterMs = [1000, 5000, 25_000];

async function deliver(fake: FakeStripe): Promise<void> {
  for (const request of await fake.takeWebhooks()) if (isHere(request.url)) await send(request, retryAfterMs);
}

async function send(request: Request, [nextMs, ...later]: number[]): Promise<void> {
  const isTaken = await fetch(request.clone()).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!isTaken && nextMs !== undefined) setTimeout(() => void send(request, later), nextMs).unref();
}

function isHere(url: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(new URL(url).hostname);
}
