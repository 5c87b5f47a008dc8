// `npm run listen -- --port 4000`: has the local server send its events here, and prints each, verified. Ends with its endpoint.
import { createServer, type IncomingMessage } from "node:http";
import { demoApiKey } from "../src/base/demo.ts";
import { isSignedWebhook } from "../src/base/lib/secrets/standard-webhooks.ts";
import { commandLine, wholeNumber } from "./command-line.ts";

const usage = `Usage: npm run listen -- [--port 4000] [--types subscription.*,billing.failed] [--server http://127.0.0.1:8787] [--key K]

  --port    where to listen, on 127.0.0.1
  --types   which events to receive; all by default
  --server  the local server
  --key     an API key of the account; by default that of the demo store`;

const text = { type: "string" } as const;
const { values } = commandLine({
  usage,
  options: {
    port: { ...text, default: "4000" },
    types: { ...text, default: "*" },
    server: { ...text, default: `http://127.0.0.1:${process.env.PORT || "8787"}` },
    key: { ...text, default: demoApiKey },
  },
});
const port = wholeNumber("port", values.port, { min: 1, max: 65_535 });

type Endpoint = { id: string; secret: string };
type Delivered = { type: string; data: { id: string; sequence: number | null; subject: { type: string } } };

const endpoint = await createEndpoint();
const server = createServer(async (request, response) => {
  const body = await bodyOf(request);
  const header = (name: string) => String(request.headers[`webhook-${name}`] ?? "");
  const claimed = { id: header("id"), timestamp: header("timestamp"), signatures: header("signature"), body };
  if (await isSignedWebhook(endpoint.secret, claimed, new Date())) {
    const { type, data } = JSON.parse(body) as Delivered;
    console.log(`✓ ${type.padEnd(36)} ${String(data.sequence ?? "-").padStart(8)}  ${data.id}`);
    response.writeHead(204).end();
  } else {
    console.log(`✗ ${request.method} ${request.url}: no signature fits`);
    response.writeHead(400).end();
  }
});
server.listen(port, "127.0.0.1");
console.log(`Events of ${values.types} arrive at http://127.0.0.1:${values.port}; they are signed with ${endpoint.secret}
  type                                 sequence  id`);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, stop);

async function createEndpoint(): Promise<Endpoint> {
  const body = {
    url: `http://127.0.0.1:${values.port}/`,
    description: "npm run listen",
    event_types: values.types.split(","),
  };
  const answer = await call("POST", "/api/webhook-endpoints", body).catch(() => undefined);
  if (!answer) throw refusal(`Nothing answers at ${values.server}: npm start runs it`);
  const { data, error } = (await answer.json()) as { data?: Endpoint; error?: string };
  if (!data) throw refusal(error ?? `${answer.status}`);
  return data;
}

function call(method: string, path: string, body?: object): Promise<Response> {
  return fetch(values.server + path, {
    method,
    headers: { "X-API-Key": values.key, ...(body ? { "Content-Type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
}

function refusal(reason: string): Error {
  console.error(reason);
  process.exit(1);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

/** Nothing is sent to a listener that is gone. */
async function stop(): Promise<void> {
  await call("DELETE", `/api/webhook-endpoints/${endpoint.id}`).catch(() => undefined);
  process.exit(0);
}
