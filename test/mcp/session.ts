import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { beforeAll } from "vitest";
import worker from "../../src/worker.ts";
import { type Answer, api, type Caller, type RequestOptions } from "../support/client.ts";
import {
  type Documented,
  isForCustomersAlone,
  jsonBodyOf,
  type Operation,
  operations,
  resolve,
} from "../support/document.ts";
import { bearer } from "../support/tenant.ts";
import { adminToken, bodyOf, openWorld, paramsOf, queryOf, type World } from "../support/world.ts";

/** The local server answers to its own name only. */
export const endpoint = "http://localhost/mcp";

export const versions = ["2026-07-28", "2025-11-25"] as const;
type Version = (typeof versions)[number];

/** The official client, connected: each request reaches the Worker, as whoever `caller` then is. */
export const connect = async (version: Version, caller: Caller): Promise<Client> => {
  const versionNegotiation = { mode: version === "2026-07-28" ? { pin: version } : ("legacy" as const) };
  const client = new Client({ name: "perennial-tests", version: "1.0.0" }, { versionNegotiation });
  const transport = new StreamableHTTPClientTransport(new URL(endpoint), {
    fetch: async (url, init) => {
      const request = new Request(url, init);
      for (const [name, value] of Object.entries(caller.credentials)) request.headers.set(name, value);
      return worker.fetch(request, env, createExecutionContext());
    },
  });
  await client.connect(transport);
  return client;
};

const successOf = ({ responses }: Documented) =>
  Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];

/** The schema of what an operation answers; undefined where it answers nothing. */
export const answerSchemaOf = (operation: Operation) =>
  successOf(operation)?.content?.["application/json"]?.schema;

/** Every operation an agent can use: it answers JSON, or nothing, and is not this endpoint itself. */
export const toolOperations: Operation[] = operations.filter((operation) => {
  const content = successOf(operation)?.content;
  return operation.path !== "/mcp" && (content === undefined || "application/json" in content);
});

/** For `test.each`: the tool's name, then its operation. */
export const eachTool = (chosen: Operation[] = toolOperations): [string, Operation][] =>
  chosen.map((operation) => [operation.operationId, operation]);

/** Whether the fields of the body stand among the arguments, rather than in one, `body`. */
export const hasPlainBody = (operation: Operation): boolean => {
  const schema = resolve(jsonBodyOf(operation) ?? {});
  return schema.type === "object" && schema.properties !== undefined;
};

type Arguments = Record<string, unknown>;

const bodyArguments = (operation: Operation, body: unknown): Arguments => {
  if (body === undefined) return {};
  return hasPlainBody(operation) ? (body as Arguments) : { body };
};

/** The arguments with which a tool succeeds in a world. */
export const argumentsOf = (operation: Operation, of: World): Arguments => ({
  ...bodyArguments(operation, bodyOf(operation, of)),
  ...queryOf(operation, of),
  ...(operation.path.includes("{") ? paramsOf(operation, of) : {}),
});

/** Whoever may call every tool of a tenant but those for customers alone; their customer, for one of these. */
export const everything = async (world: World, operation?: Operation): Promise<Caller> => {
  const { tenant: of } = world;
  if (operation && isForCustomersAlone(operation)) return bearer(await world.customerToken());
  return { credentials: { ...of.credentials, Authorization: `Bearer ${await adminToken(of)}` } };
};

type Sent = typeof api;

/** One JSON-RPC message as it is, without a client. */
export const message = <B = unknown>(
  caller: Caller,
  body: unknown,
  { send = api as Sent, path = endpoint, ...options }: RequestOptions & { send?: Sent; path?: string } = {},
): Promise<Answer<B>> => send<B>(caller, "POST", path, { body, ...options });

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

export const toolCall = (name: string, given: unknown) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: given },
});

/** What a tool answers, and all of the response for what stands around it. */
export const callTool = async (
  caller: Caller,
  name: string,
  given: unknown = {},
  options: Parameters<typeof message>[2] = {},
): Promise<{ answer: Answer; result: ToolResult }> => {
  const answer = await message<{ result?: ToolResult }>(caller, toolCall(name, given), options);
  const { result } = answer.body ?? {};
  if (answer.status !== 200 || !result)
    throw new Error(`${name} has no result: ${answer.status} ${answer.text}`);
  return { answer, result };
};

/** The error envelope of a tool that failed. */
export const errorOf = ({ result: { isError, content } }: { result: ToolResult }): ToolError => {
  if (!isError) throw new Error(`The tool did not fail: ${content[0]?.text.slice(0, 300)}`);
  return JSON.parse(content[0]!.text);
};

/** The part of an error envelope that is the same over HTTP and MCP. */
export const refusalIn = ({ error, errorCode, details }: ToolError) => ({ error, errorCode, details });

/** The status and the error code of a response that refuses the whole message. */
export const refused = ({ status, body }: Answer): [number, string] => [
  status,
  (body as ToolError).errorCode,
];

export const toolOperation = (id: string): Operation =>
  toolOperations.find(({ operationId }) => operationId === id)!;

/** A world for the tests of a file, and a caller who may do everything in it. */
export const useMcpWorld = (): { merchant: World; caller: Caller } => {
  const world = {} as World;
  const caller = {} as Caller;
  beforeAll(async () => {
    Object.assign(world, await openWorld());
    Object.assign(caller, await everything(world));
  });
  return { merchant: world, caller };
};
