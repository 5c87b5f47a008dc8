import { Context } from "hono";
import { keyIdOf } from "../../src/base/accounts/api-key.ts";
import type { Env } from "../../src/base/env.ts";
import type { Log } from "../../src/base/lib/log.ts";
import type { Ctx } from "../../src/kit/context.ts";
import type { HonoEnv } from "../../src/kit/http/document/operation.ts";
import { paths } from "../../src/runtime/app.ts";
import { ctxOf, env as settings } from "../kernel/ports.ts";
import type { Task } from "../kernel/task.ts";
import type { World } from "../kernel/world.ts";
import { apiKeyOf, keyText } from "./api-key.ts";
import type { Asked } from "./asked.ts";

/** An answer of the Worker, and what it goes on with after it. */
export type Served = { status: number; text: string; isReplayed: boolean; rest: Promise<unknown>[] };

/** Has the Worker's own code answer what somebody has asked for: credential, limit, body, schema, Idempotency-Key, handler. */
export function serveAsked(world: World, task: Task, asked: Asked): Promise<Served> {
  const { method, on, body } = asked;
  const [path, params] = pathOf(world, on);
  const url = `${settings.PUBLIC_URL}${path.replace(/\{(\w+)\}/g, (_, name: string) => params[name]!)}`;
  const headers = {
    "Content-Type": "application/json",
    "X-API-Key": keyOf(world, asked),
    ...(method === "POST" ? { "Idempotency-Key": asked.key } : {}),
  };
  const bytes = new TextEncoder().encode(body ? JSON.stringify(body) : "");
  return serve(world, task, { request: new Request(url, { method, headers }), path, params, bytes });
}

/**
 * Has the Worker's own code answer a request as a task. Its clock, database, queue and store are the simulator's. `bytes` is its body, which
 * a request of which that is signed has itself.
 */
export async function serve(
  world: World,
  task: Task,
  { request, path, params, bytes }: Routed,
): Promise<Served> {
  const rest: Promise<unknown>[] = [];
  const executionCtx = { waitUntil: (work: Promise<unknown>) => void rest.push(work) };
  const c = new Context<HonoEnv>(request, {
    env: {} as HonoEnv["Bindings"],
    executionCtx: executionCtx as unknown as ExecutionContext,
  });
  surround(c, world, task, bytes);
  c.set("params", params);
  const served = await paths.get(path)!();
  await served.byMethod.get(request.method)!.answer(c);
  const text = c.res.body === null ? "" : await c.res.text();
  return { status: c.res.status, text, isReplayed: c.res.headers.has("Idempotency-Replayed"), rest };
}

/** A request, the path of its operation and its parameters. */
type Routed = {
  request: Request;
  path: string;
  params: Record<string, string>;
  bytes?: Uint8Array;
};

/** The path of an operation, and its parameters. */
function pathOf({ subscriptionId: id }: World, on: string): [path: string, params: Record<string, string>] {
  const [, kind, which] = /^(lines|discounts)\/(.*)$/.exec(on) ?? [];
  if (kind === "lines") return [`${below}/lines/{lineId}`, { id, lineId: which! }];
  if (kind === "discounts") return [`${below}/discounts/{discountId}`, { id, discountId: which! }];
  return [`${below}/${on}`, { id }];
}

const below = "/api/subscriptions/{id}";

function keyOf(world: World, { credential }: Asked): string {
  const key = apiKeyOf(world)!;
  if (credential === "guessed") return keyText(keyIdOf(key)!, "g");
  return credential === "own" ? key : world.worlds.map(apiKeyOf).find((other) => other && other !== key)!;
}

/** Gives a request the simulator's surroundings: those with which it begins, and the context that it opens once it is proven. */
function surround(c: Context<HonoEnv>, world: World, task: Task, bytes?: Uint8Array): void {
  const ports = ctxOf(world, task, { type: "api", name: null });
  const { db, newId, store, send, network } = ports;
  const log: Log = (event, fields) => {
    if (event === "error" && fields?.code === "INTERNAL") checkError(world, String(fields.cause));
    ports.log(event, fields);
  };
  const set = c.set.bind(c) as (key: string, value: unknown) => void;
  let isOpen = false;
  c.set = ((key: string, value: unknown) => {
    const isOpening = key === "ctx" && !isOpen;
    isOpen ||= isOpening;
    set(key, isOpening ? { ...(value as Ctx), newId, store, send, network } : value);
  }) as typeof c.set;
  set("now", new Date(world.clock));
  set("requestId", "request");
  set("log", log);
  set("env", envOf(world));
  set("db", db);
  if (bytes) set("body", bytes);
}

/** A failure that is answered as ours must be one that was injected. */
export function checkError(world: World, cause: string): void {
  if (!cause.includes("Network connection lost")) world.report("no unexpected error", cause);
}

/** The settings, with limiters that refuse now and then, or fail. */
export function envOf(world: World): Env {
  const { choices } = world;
  const limiter = {
    limit: async () => {
      if (choices.chance(world.faultRate / 8)) throw new Error("The limiter is down");
      return { success: !choices.chance(world.faultRate / 4) };
    },
  } as RateLimit;
  return {
    ...settings,
    RATE_LIMIT_PER_KEY: 600,
    RATE_LIMIT_PER_ADDRESS: 120,
    ...{ KEY_LIMITER: limiter, TOKENS_LIMITER: limiter, ADDRESS_LIMITER: limiter, SETUPS_LIMITER: limiter },
  };
}
