import { dayMs, hourMs, secondMs } from "../../src/base/lib/time/durations.ts";
import type { Task } from "../kernel/task.ts";
import type { Peer, PeerAnswer, World } from "../kernel/world.ts";
import { readCommittedEvent } from "./endpoint-rows.ts";
import { type Answer, asksFor, endpointsOf } from "./endpoints.ts";

/** The receivers of events, who are asked at every address that is nobody else's. */
export const receivers: Peer = {
  isAt: () => true,
  what: (url, init) => `send ${typeOf(init)} to ${url.slice(8, 15)}`,
  receive,
  fails: (world, at) => {
    const endpoint = endpointsOf(world).find(({ url }) => url === at);
    if (endpoint) endpoint.firstFailureAt ??= world.clock;
  },
};

/** Where a redirect leads that must not be followed. */
const inward = "http://10.0.0.1/";

function typeOf({ body }: RequestInit): string {
  return JSON.parse(String(body)).type;
}

/** A request arrives. */
async function receive(world: World, task: Task, url: string, init: RequestInit): Promise<PeerAnswer> {
  const { report, choices, isQuiesced } = world;
  const endpoint = endpointsOf(world).find((one) => one.url === url);
  if (!endpoint) {
    report("events go to endpoints alone", url);
    return new Response(null, { status: 204 });
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
  return responseOf(world, answer, retryAfter?.text(world.clock));
}

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

function responseOf(world: World, answer: Answer, retryAfter: string | undefined): PeerAnswer {
  if (answer === "hangs" || answer === "resets") return answer;
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
