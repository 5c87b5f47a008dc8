import type { Job } from "../../../src/base/job.ts";
import { call, type Task } from "../../kernel/task.ts";
import type { World } from "../../kernel/world.ts";
import type { StoreWatch } from "../watched.ts";
import type { OpenShopify } from "./opened.ts";

/** A task's `fetch`: each request is a call that succeeds or fails when it is the task's turn. */
export function send(
  world: World,
  shopify: OpenShopify,
  watch: StoreWatch,
  { task, job }: { task: Task; job: Job | undefined },
): typeof fetch {
  return (input, { method, headers, body } = {}) => {
    const { query, variables } = JSON.parse(String(body));
    const { kind, name } = operationIn(query);
    const authority =
      name === "CreateAttempt"
        ? { ...watch.authorize(world, task, job), contractReadAt: readAtOf(world, task, variables.contract) }
        : undefined;
    before.delete(task);

    const arrive = async (isLate: boolean): Promise<Response> => {
      shopify.requests++;
      if (!isLate && name === "Contract") before.set(task, { contract: variables.id, at: shopify.requests });
      if (isLate) world.log(() => `(at the store ${name} ARRIVES LATE)`);
      const response = await shopify.fake.fetch(
        new Request(String(input), { method, headers, body } as RequestInit),
      );
      const text = await response.text();
      if (!response.ok || text.includes('"errors":'))
        world.report("the store accepts every query", `${name}: ${text}`);
      const [, userError] = /"userErrors":\[(\{.*?\})\]/.exec(text) ?? [];
      if (userError) world.log(() => `(the store refuses ${name}: ${userError})`);
      if (authority) shopify.attempts.check(authority);
      if (kind === "mutation") shopify.contracts.check({ job: job?.type, isLate, bornAt: task.bornAt });
      return responseOf(text, response.status, response.headers);
    };

    return call<Response>(task, {
      kind: authority ? "charge" : kind === "mutation" ? "mutation" : "query",
      what: () => `${kind} at the store: ${name}`,
      perform: () => arrive(false),
      throttled: tooMany,
      ...(kind === "mutation"
        ? { arriveLater: (ms: number) => void shopify.late.push({ arrive, at: world.clock + ms }) }
        : {}),
    });
  };
}

/** The contract that a task has read by its last request. */
const before = new WeakMap<Task, { contract: string; at: number }>();

/** When the contract was read that is charged now: by the request right before, so that as little as possible can change meanwhile. */
function readAtOf(world: World, task: Task, contract: string): number {
  const read = before.get(task);
  if (read?.contract === contract) return read.at;
  world.report(
    "a contract is read right before its charge",
    `${contract} was not read by the request before`,
  );
  return Number.POSITIVE_INFINITY;
}

function operationIn(query: string): { kind: string; name: string } {
  const [, kind = "", name = ""] = /\b(query|mutation)\s+(\w+)/.exec(query) ?? [];
  return { kind, name };
}

/** As much of a response as the adapter reads: the platform's own takes longer to make and to read than the request. */
function responseOf(text: string, status: number, headers: Headers): Response {
  const known = { status, ok: status >= 200 && status < 300, headers };
  return { ...known, json: async () => JSON.parse(text), text: async () => text } as Response;
}

function tooMany(): Response {
  return responseOf("", 429, new Headers({ "Retry-After": "30" }));
}
