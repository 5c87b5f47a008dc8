import { dayMs, hourMs, secondMs } from "../../src/base/lib/time/durations.ts";
import type { Network } from "../../src/base/network.ts";
import { call, type Task } from "../kernel/task.ts";
import type { World } from "../kernel/world.ts";
import { isForProvider, type ProviderAnswer, receiveMail } from "../notices/mail-network.ts";
import { readCommittedEvent } from "./endpoint-rows.ts";
import { type Answer, asksFor } from "./endpoints.ts";

/** The network as a task sees it: a request is a call, and one that hangs stays under way until it is given up. */
export function networkOf(world: World, task: Task): Network {
  const patience = new WeakMap<AbortSignal, number>();
  const ask = async (url: string, init: RequestInit): Promise<Response> => {
    if (isForProvider(url)) return askProvider(url, init);
    const { answer, retryAfter } = await call<Received>(task, {
      kind: "post",
      what: () => `send ${typeOf(init)} to ${url.slice(8, 15)}`,
      perform: () => receive(world, task, url, init),
    });
    if (answer === "redirects" && init.redirect !== "manual") return ask(inward, init);
    return answer === "hangs" ? giveUp(url, init) : responseOf(world, answer, retryAfter);
  };
  const giveUp = (url: string, { signal }: RequestInit): Promise<Response> =>
    call<Response>(task, {
      kind: "hang",
      what: () => `give ${url.slice(8, 15)} up`,
      notBefore: world.clock + (patience.get(signal as AbortSignal) ?? Number.POSITIVE_INFINITY),
      perform: () => Promise.reject(new DOMException("The operation timed out", "TimeoutError")),
    });
  const askProvider = async (url: string, init: RequestInit): Promise<Response> => {
    const { answer, status, body } = await call<ProviderAnswer>(task, {
      kind: "post",
      what: () => `send a mail by ${url.slice(12, 18)}`,
      perform: () => receiveMail(world, task, init),
    });
    if (answer === "hangs") return giveUp(url, init);
    return answer === "resets" ? responseOf(world, answer, undefined) : Response.json(body, { status });
  };
  return {
    fetch: async (url, init) => {
      try {
        const response = await ask(url, init);
        if (!response.ok) noteFailure(world, url);
        return response;
      } catch (error) {
        noteFailure(world, url);
        throw error;
      }
    },
    timeout: (ms) => {
      const { signal } = new AbortController();
      patience.set(signal, ms);
      return signal;
    },
    stopwatch: () => {
      const started = world.clock;
      return () => world.clock - started;
    },
  };
}

/** Where a redirect leads that must not be followed. */
const inward = "http://10.0.0.1/";

function typeOf({ body }: RequestInit): string {
  return JSON.parse(String(body)).type;
}

function noteFailure({ endpoints, clock }: World, at: string): void {
  const endpoint = endpoints.find(({ url }) => url === at);
  if (endpoint) endpoint.firstFailureAt ??= clock;
}

/** A request arrives. */
async function receive(world: World, task: Task, url: string, init: RequestInit): Promise<Received> {
  const { report, choices, isQuiesced } = world;
  const endpoint = world.endpoints.find((one) => one.url === url);
  if (!endpoint) {
    report("events go to endpoints alone", url);
    return { answer: "accepts", retryAfter: undefined };
  }
  const id = new Headers(init.headers).get("webhook-id") ?? "";
  const { type, data } = JSON.parse(String(init.body));
  const event = await readCommittedEvent(world, id);
  if (!event) report("no event before its commit, and under its id", `${type} under ${id}`);
  else if (event.type !== type || data.id !== id) report("an event is sent as it is", `${type} of ${id}`);
  else if (!asksFor(endpoint, type)) report("endpoints receive what they ask for", `${type} at ${url}`);
  endpoint.reads?.(data);
  const answer = isQuiesced && !endpoint.isLost ? "accepts" : choices.weighted(endpoint.answers);
  world.count("events received by endpoints");
  world.log(() => `(${url.slice(8, 15)} ${answer})`);
  if (answer === "accepts" || answer === "floods") endpoint.accepted.add(id);
  if (answer === "is gone") endpoint.hasSaidGone = true;
  const retryAfter = answer === "is busy" ? choices.pick(pausesAskedFor) : undefined;
  const { clock: at, faultRate, restores } = world;
  const made = { at, answer, retryAfterMs: retryAfter?.ms, task, faultRate, restores };
  endpoint.tries.set(id, [...(endpoint.tries.get(id) ?? []), made]);
  return { answer, retryAfter: retryAfter?.text(world.clock) };
}

/** An endpoint's answer, and the pause that it asks for. */
type Received = { answer: Answer; retryAfter: string | undefined };

/** Seconds or a date (RFC 9110 §10.2.3), and the pause that is granted. */
const pausesAskedFor = [
  { ms: 30 * secondMs, text: () => "30" },
  { ms: hourMs, text: (now: number) => new Date(now + hourMs).toUTCString() },
  { ms: dayMs, text: () => "999999" },
];

const statuses: Partial<Record<Answer, number>> = {
  fails: 500,
  "is gone": 410,
  "is busy": 429,
  redirects: 302,
};

function responseOf(world: World, answer: Answer, retryAfter: string | undefined): Response {
  if (answer === "resets") throw new Error("Network connection lost");
  if (answer === "floods") return new Response(flood(world));
  const headers = new Headers();
  if (answer === "redirects") headers.set("Location", inward);
  if (retryAfter !== undefined) headers.set("Retry-After", retryAfter);
  return new Response(null, { status: statuses[answer] ?? 204, headers });
}

const floodBytesMax = 8192;

/** A body of a gigabyte, of which little may be read. */
function flood({ report }: World): ReadableStream {
  let sent = 0;
  return new ReadableStream({
    pull: (controller) => {
      sent += 1024;
      if (sent > floodBytesMax) {
        report("little is read of an answer", `${sent} bytes`);
        controller.close();
      } else controller.enqueue(new Uint8Array(1024));
    },
  });
}
