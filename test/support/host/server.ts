import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { freePort } from "../../../scripts/free-port.ts";
import { d1Db } from "../../../src/base/db/client.ts";
import type { Db } from "../../../src/base/db/port.ts";
import type { Bindings } from "../../../src/base/env.ts";
import worker from "../../../src/worker.ts";
import { schemaStatements } from "../schema.ts";
import { readAsset } from "./assets.ts";
import { HostDatabase } from "./database.ts";
import { HostObjects } from "./objects.ts";
import { openQueue } from "./queue.ts";
import { limiters } from "./runtime.ts";
import { localSettings } from "./settings.ts";

/** Serves the whole Worker within Node, without the lines that it logs. Its database is in this file, where other processes reach it too. */
export async function serveWorker(
  file: string,
  variables: Record<string, string>,
): Promise<{ origin: string; db: Db; close: () => Promise<void> }> {
  const database = new HostDatabase(file);
  database.begin(schemaStatements());
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const bindings: Bindings = {
    ...{ ENVIRONMENT: "local", PUBLIC_URL: origin },
    ...{ ...localSettings, ...variables, ...limiters, DB: database },
    ACCOUNTS: new HostObjects(() => bindings),
    JOBS: openQueue("perennial-jobs", 10, (batch) => worker.queue(batch, bindings, invocation)),
    EVENTS: openQueue("perennial-events", 60, (batch) => worker.queue(batch, bindings, invocation)),
  } as unknown as Bindings;
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const request = await toRequest(incoming, origin);
    const asset = readAsset(new URL(request.url).pathname);
    await send(asset ?? (await worker.fetch(request, bindings, invocation)), outgoing);
  };
  const server = createServer((incoming, outgoing) => {
    // A page that is left cuts its requests off.
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  const { log } = console;
  console.log = () => {};
  const close = async () => {
    console.log = log;
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
  return { origin, db: d1Db(database as unknown as D1Database), close };
}

/** A failure of what goes on behind a request ends that alone. */
const invocation = {
  waitUntil: (work: Promise<unknown>) => void work.catch(() => {}),
  passThroughOnException() {},
  props: {},
} as unknown as ExecutionContext;

async function toRequest(incoming: IncomingMessage, origin: string): Promise<Request> {
  const { method = "GET", url = "/", headersDistinct } = incoming;
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const body = await buffer(incoming);
  return new Request(origin + url, { method, headers, ...(body.length > 0 ? { body } : {}) });
}

async function send(answer: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.statusCode = answer.status;
  for (const [name, value] of answer.headers) outgoing.appendHeader(name, value);
  outgoing.end(Buffer.from(await answer.arrayBuffer()));
}
