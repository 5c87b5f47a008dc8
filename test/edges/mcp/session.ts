import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { beforeAll } from "vitest";
import worker from "../../../src/worker.ts";
import { type Answer, api, type Caller, type RequestOptions } from "../../support/client.ts";
import {
  type Documented,
  isAnonymous,
  isForCustomersAlone,
  jsonBodyOf,
  type Operation,
  operations,
  resolve,
  type Schema,
} from "../../support/document.ts";
import { bearer } from "../../support/tenant.ts";
import { adminToken, bodyOf, openWorld, paramsOf, queryOf, type World } from "../../support/world.ts";

/** The local server answers to its own name only. */
export const endpoint = "http://localhost/mcp";
export const withAllTools = `${endpoint}?toolsets=all`;

export const versions = ["2026-07-28", "2025-11-25"] as const;
type Version = (typeof versions)[number];

/** The official client, connected: each request reaches the Worker as whoever `caller` then is. */
export async function connect(version: Version, caller: Caller, url = withAllTools): Promise<Client> {
  const versionNegotiation = { mode: version === "2026-07-28" ? { pin: version } : ("legacy" as const) };
  const client = new Client({ name: "perennial-tests", version: "1.0.0" }, { versionNegotiation });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: async (url, init) => {
      const request = new Request(url, init);
      for (const [name, value] of Object.entries(caller.credentials)) request.headers.set(name, value);
      return worker.fetch(request, env, createExecutionContext());
    },
  });
  await client.connect(transport);
  return client;
}

/** The schema of what an operation answers; undefined where it answers nothing. */
export function answerSchemaOf(operation: Operation) {
  return successOf(operation)?.content?.["application/json"]?.schema;
}

/** The schema of a list's rows; undefined for an operation that does not answer a list of records. */
export function rowSchemaOf(operation: Operation): Schema | undefined {
  if (operation.method !== "GET") return undefined;
  const answer = resolve(answerSchemaOf(operation) ?? {});
  const rows =
    answer.type === "array" ? resolve(answer.items).properties?.data : answer.properties?.data?.items;
  return rows && resolve(rows).type === "object" ? rows : undefined;
}

/** For `test.each`: the tool's name, then its operation. */
export function eachTool(chosen: Operation[] = toolOperations): [string, Operation][] {
  return chosen.map((operation) => [operation.operationId, operation]);
}

/** The forms that a body may have. */
export function formsOf(schema: Schema): Schema[] {
  const whole = resolve(schema);
  const members: Schema[] | undefined = whole.anyOf ?? whole.oneOf;
  const isOne = members?.every((member) => Object.keys(member).join() === "required");
  return members && !isOne ? members.flatMap(formsOf) : [whole];
}

/** The arguments with which a tool succeeds in a world. */
export function argumentsOf(operation: Operation, of: World): Arguments {
  return {
    ...bodyArguments(operation, bodyOf(operation, of)),
    ...queryOf(operation, of),
    ...(operation.path.includes("{") ? paramsOf(operation, of) : {}),
  };
}

/** Whoever may call every tool of a tenant but those for customers alone; their customer, for one of these. */
export async function everything(world: World, operation?: Operation): Promise<Caller> {
  const { tenant: of } = world;
  if (operation && isForCustomersAlone(operation)) return bearer(await world.customerToken());
  return { credentials: { ...of.credentials, Authorization: `Bearer ${await adminToken(of)}` } };
}

/** One JSON-RPC message as it is, without a client. */
export function message<B = unknown>(
  caller: Caller,
  body: unknown,
  {
    send = api as Sent,
    path = endpoint,
    headers = {},
    ...options
  }: RequestOptions & { send?: Sent; path?: string } = {},
): Promise<Answer<B>> {
  return send<B>(caller, "POST", path, { body, headers: { ...inVersion, ...headers }, ...options });
}

export function toolCall(name: string, given: unknown) {
  return {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: given },
  };
}

/** The answer of a tool, and the whole response around it. */
export async function callTool(
  caller: Caller,
  name: string,
  given: unknown = {},
  options: Parameters<typeof message>[2] = {},
): Promise<{ answer: Answer; result: ToolResult }> {
  const answer = await message<{ result?: ToolResult }>(caller, toolCall(name, given), {
    path: withAllTools,
    ...options,
  });
  const { result } = answer.body ?? {};
  if (answer.status !== 200 || !result)
    throw new Error(`${name} has no result: ${answer.status} ${answer.text}`);
  return { answer, result };
}

/** The error envelope of a tool that failed. */
export function errorOf({ result: { isError, content } }: { result: ToolResult }): ToolError {
  if (!isError) throw new Error(`The tool did not fail: ${content[0]?.text.slice(0, 300)}`);
  return JSON.parse(content[0]!.text);
}

/** The part of an error envelope that is the same over HTTP and MCP. */
export function refusalIn({ error, errorCode, details }: ToolError) {
  return { error, errorCode, details };
}

/** The status and the API's error code of a response that refuses the whole message, which JSON-RPC's error carries. */
export function refused({ status, body }: Answer): [number, string] {
  return [status, (body as { error: { data: ToolError } }).error.data.errorCode];
}

export function toolOperation(id: string): Operation {
  return toolOperations.find(({ operationId }) => operationId === id)!;
}

/** A world for the tests of a file, and a caller who may do everything in it. */
export function useMcpWorld(): { merchant: World; caller: Caller } {
  const world = {} as World;
  const caller = {} as Caller;
  beforeAll(async () => {
    Object.assign(world, await openWorld());
    Object.assign(caller, await everything(world));
  });
  return { merchant: world, caller };
}

function successOf({ responses }: Documented) {
  const own = responses["201"] ?? responses["204"];
  return own ?? Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];
}

/** Programs, operators and people need these, agents do not. */
function isService({ path, operationId }: Operation): boolean {
  if (path.startsWith("/api/declarations") || path.endsWith("/consents")) return true;
  if (path.startsWith("/api/staff") || path.startsWith("/api/account/keys")) return true;
  return path.startsWith("/api/auth/") || path === "/api/account/test-clock" || isSecret.has(operationId);
}

const isSecret = new Set([
  "beginOwnPaymentMethod",
  "connectStore",
  "createExport",
  "createPortalSession",
  "createWebhookEndpoint",
  "rotateWebhookEndpointSecret",
]);

/** Every operation an agent can use: it needs a credential, takes no file, answers JSON or nothing, and is no service. */
export const toolOperations: Operation[] = operations.filter((operation) => {
  const content = successOf(operation)?.content;
  const isJson = content === undefined || "application/json" in content;
  const takesFile = operation.requestBody !== undefined && jsonBodyOf(operation) === undefined;
  return isJson && !takesFile && !isAnonymous(operation) && !isService(operation);
});

type Arguments = Record<string, unknown>;

/** A body that is a list stands for one with the list in its field. */
function bodyArguments(operation: Operation, body: unknown): Arguments {
  if (!Array.isArray(body)) return (body ?? {}) as Arguments;
  const [field] = formsOf(jsonBodyOf(operation) ?? {}).flatMap(({ properties = {} }) =>
    Object.keys(properties),
  );
  return { [field ?? "body"]: body };
}

type Sent = typeof api;
const inVersion = { "MCP-Protocol-Version": versions[1] };

export type ToolResult = {
  isError?: boolean;
  content: { type: "text"; text: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: a test states the type where it matters
  structuredContent?: any;
};
export type ToolError = {
  error: string;
  errorCode: string;
  request_id: string;
  details?: { path: string; message: string }[];
};
