import type { Job } from "../../src/job.ts";
import { authorityOf } from "../outside.ts";
import { call, type Task } from "../task.ts";
import type { World } from "../world.ts";
import type { OpenShopify } from "./store.ts";

/** A request on its way, and what becomes of it when it arrives. */
export type Sent = { arrive: (isLate: boolean) => Promise<Response> };

const operationIn = (query: string): { kind: string; name: string } => {
  const [, kind = "", name = ""] = /\b(query|mutation)\s+(\w+)/.exec(query) ?? [];
  return { kind, name };
};

const tooMany = (): Response => new Response("", { status: 429, headers: { "Retry-After": "30" } });

/** `fetch` as a task has it: each request is a call, which goes well or badly when it is the task's turn. */
export const send =
  (world: World, shopify: OpenShopify, task: Task, job: Job | undefined): typeof fetch =>
  (input, { method, headers, body } = {}) => {
    const { query } = JSON.parse(String(body));
    const { kind, name } = operationIn(query);
    const authority = name === "CreateAttempt" ? authorityOf(world, task, job) : undefined;

    const arrive = async (isLate: boolean): Promise<Response> => {
      shopify.requests++;
      if (isLate) world.tell(() => `(at the store ${name} ARRIVES LATE)`);
      const response = await shopify.fake.fetch(
        new Request(String(input), { method, headers, body } as RequestInit),
      );
      const text = await response.text();
      if (!response.ok || text.includes('"errors":'))
        world.report("the store understands what it is asked", `${name}: ${text}`);
      const [, refused] = /"userErrors":\[(\{.*?\})\]/.exec(text) ?? [];
      if (refused) world.tell(() => `(the store refuses ${name}: ${refused})`);
      if (authority) shopify.attempts.check(authority);
      if (kind === "mutation") shopify.contracts.check({ job: job?.type, isLate, bornAt: task.bornAt });
      return new Response(text, response);
    };

    return call<Response>(task, {
      kind: authority ? "charge" : kind === "mutation" ? "tell" : "ask",
      what: () => `${kind === "mutation" ? "tell" : "ask"} the store: ${name}`,
      perform: () => arrive(false),
      busy: tooMany,
      ...(kind === "mutation"
        ? { arriveLater: (ms: number) => void shopify.late.push({ arrive, at: world.clock + ms }) }
        : {}),
    });
  };
