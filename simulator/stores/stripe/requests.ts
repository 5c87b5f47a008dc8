import type { Job } from "../../../src/base/job.ts";
import { requestStripe } from "../../../src/stores/stripe/client.ts";
import type { AskStripe } from "../../../src/stores/stripe/request.ts";
import type { Fault } from "../../../test/support/fake-stripe.ts";
import { call, type Task } from "../../kernel/task.ts";
import type { World } from "../../kernel/world.ts";
import type { OpenStripe } from "./opened.ts";
import type { Received } from "./received.ts";
import type { StripeWatch } from "./watched.ts";

/** The requests of a task's adapter: each is a call that succeeds or fails when it is the task's turn. */
export function askOf(
  world: World,
  stripe: OpenStripe,
  watch: StripeWatch,
  { task, job }: { task: Task; job: Job | undefined },
): AskStripe {
  const { fake, charges, refunds } = stripe;
  const send: typeof fetch = (input, { method = "GET", headers, body } = {}) => {
    const received = receive(String(input), method, headers as Record<string, string>, body);
    const { request, kind, what, intentId, does, form, key } = received;
    const authority = does === "confirm" ? watch.authorize(world, task, job, intentId) : undefined;
    if (authority) watch.confirms(world, authority.attempt_id, intentId);

    const arrive = async (fault?: Fault): Promise<Response> => {
      stripe.requests++;
      if (key !== undefined && stripe.keysInUse.has(key)) return refusal(409, inUse);
      const run = (): Promise<Response> => {
        if (fault) fake.fail(fault);
        return fake.fetch(request);
      };
      if (does === "cancel") watch.cancels(world, fake, received);
      const isDone = fault?.effect !== "none";
      const known = fake.intents().length;
      const response =
        authority && isDone
          ? ((await charges.confirm(intentId, authority, run)) ?? refusal(400, notTaken))
          : does === "refund" && isDone
            ? await refunds.make(run)
            : await run();
      charges.follow();
      if (fake.intents().length > known) watch.created(world, stripe);
      if (fault && does === "create") stripe.failedCreations.add(keyIn(form));
      if (does !== "refund" || world.restores === 0) await watch.answered(world, what, response);
      return response;
    };
    const arriveLater = (ms: number): void => {
      const isBegun = key !== undefined && world.choices.chance(500);
      if (isBegun) stripe.keysInUse.add(key);
      stripe.late.push({ at: world.clock + ms, what, arrive, key: isBegun ? key : undefined });
    };

    return call<Response>(task, {
      kind,
      what: () => what,
      perform: () => arrive(),
      throttled: () => refusal(429, world.choices.chance(500) ? locked : tooMany),
      breaks: (isDone) => arrive({ kind: "http500", effect: isDone ? "done" : "none" }),
      ...(kind === "query" ? {} : { arriveLater }),
    });
  };
  return (request) => requestStripe({ secretKey: fake.settings.secretKeys[0]!, send }, request);
}

/** As much of a request as the fake reads: the platform's own takes longer to make and to read. */
function receive(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: BodyInit | null | undefined,
): Received {
  const [path = ""] = url.slice(origin.length).split("?");
  const [, intentId = "", verb] = /^\/v1\/payment_intents(?:\/(\w+)(?:\/(\w+))?)?$/.exec(path) ?? [];
  const isCreation = method === "POST" && path === "/v1/payment_intents";
  const does = isCreation ? "create" : (doneBy(method, path) ?? verbOf(verb));
  const found = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const get = (name: string): string | null => found.get(name.toLowerCase()) ?? null;
  const form = String(body ?? "");
  return {
    request: {
      url,
      method,
      headers: { get },
      arrayBuffer: async () => encoder.encode(form),
    } as unknown as Request,
    kind: does === "confirm" ? "charge" : method === "GET" ? "query" : "mutation",
    what: `request to the store: ${does && does !== "refund" ? `${does} an intent ${intentId}` : `${method} ${path}`}`,
    intentId,
    does,
    form,
    key: get("Idempotency-Key") ?? undefined,
  };
}

/** The key of the attempt that an intent is created for. */
function keyIn(form: string): string {
  return new URLSearchParams(form).get("metadata[key]") ?? "";
}

function doneBy(method: string, path: string): "refund" | undefined {
  return method === "POST" && path === "/v1/refunds" ? "refund" : undefined;
}

function verbOf(verb: string | undefined): "confirm" | "cancel" | undefined {
  return verb === "confirm" || verb === "cancel" ? verb : undefined;
}

const origin = "https://api.stripe.com";
const encoder = new TextEncoder();

function refusal(status: number, error: { type: string; code: string }): Response {
  return Response.json({ error: { ...error, message: error.code } }, { status });
}

const inUse = { type: "idempotency_error", code: "idempotency_key_in_use" };
const locked = { type: "invalid_request_error", code: "lock_timeout" };
const tooMany = { type: "invalid_request_error", code: "rate_limit" };
/** The merchant's account at Stripe may not take payments. */
const notTaken = { type: "invalid_request_error", code: "account_invalid" };
