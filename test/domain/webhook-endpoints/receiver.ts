import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, vi } from "vitest";
import type { Answer, Caller } from "../../support/client.ts";
import type { Json, Shop } from "../../support/shops.ts";
import type { TestWorker } from "../../support/worker.ts";

export type Received = {
  url: string;
  id: string;
  timestamp: string;
  signature: string;
  headers: Headers;
  text: string;
  body: Json;
};

type Answering = (received: Received, init: RequestInit) => Response | Promise<Response>;

/** The endpoints on the network: each URL answers as it is told, all others 200; and what they received, in order. */
export function network() {
  const received: Received[] = [];
  const answers = new Map<string, Answering>();
  beforeEach(() => {
    received.length = 0;
    answers.clear();
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init = {}) => {
      const url = String(input);
      const headers = new Headers(init.headers);
      const text = String(init.body);
      const request: Received = {
        url,
        id: headers.get("webhook-id") ?? "",
        timestamp: headers.get("webhook-timestamp") ?? "",
        signature: headers.get("webhook-signature") ?? "",
        headers,
        text,
        body: JSON.parse(text),
      };
      received.push(request);
      return (answers.get(url) ?? (() => new Response(null, { status: 200 })))(request, init);
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
  return {
    received,
    /** How a URL answers from now on. */
    answering: (url: string, answer: Answering | number, headers: Record<string, string> = {}): void =>
      void answers.set(
        url,
        typeof answer === "number" ? () => new Response(null, { status: answer, headers }) : answer,
      ),
    to: (url: string): Received[] => received.filter((one) => one.url === url),
  };
}

export type Network = ReturnType<typeof network>;

/** A URL that nothing else has. */
export function aUrl(): string {
  return `https://hooks-${++last}.example.com/in`;
}

/** The operations of endpoints, through the Worker under test. */
export function endpointsOf(of: Shop, worker: TestWorker, as: Caller = of.api) {
  const call = (method: string, path: string, body?: unknown, query: Record<string, string | number> = {}) =>
    worker.call<Json>(as, method, `/api/webhook-endpoints${path}`, {
      ...(body === undefined ? {} : { body }),
      query,
    });
  return {
    call,
    create: async (more: object = {}): Promise<Endpoint> =>
      must(await call("POST", "", { url: aUrl(), ...more })),
    read: async ({ id }: Endpoint): Promise<Json> => must(await call("GET", `/${id}`)),
    deliveries: async ({ id }: Endpoint, query = {}): Promise<Json[]> =>
      must(await call("GET", `/${id}/deliveries`, undefined, { limit: 100, ...query })),
  };
}

/** The event as the library takes it, or why it does not. */
export function verified(
  { secret }: { secret: string },
  { text, id, timestamp, signature }: Received,
): unknown {
  return new Webhook(secret).verify(text, {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signature,
  });
}

let last = 0;

function must(answer: Answer<Json>): Json {
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`);
  return answer.body.data;
}

export type Endpoint = { id: string; url: string; secret: string };

/** How a request was refused: the status, the code, and the field that it is about. */
export function refusal({ status, body }: Json) {
  return [status, body.errorCode, body.details?.[0]?.path];
}
