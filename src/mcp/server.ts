import {
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { maxTextLength } from "../errors.ts";
import type { AnyOperation } from "../http/operation.ts";
import { shortened } from "../lib/text.ts";
import { prompts } from "./prompts.ts";
import {
  type ApiDocument,
  faultsIn,
  type OperationTool,
  refusalOf,
  requestFor,
  resultOf,
  toolsOf,
} from "./tools.ts";

/** The operations that a request can call, and the function that calls them. */
type Surface = {
  document: ApiDocument;
  operations: AnyOperation[];
  dispatch: (operation: AnyOperation, request: Request) => Promise<Response>;
  /** The id of the MCP request itself, for the errors that are made here. */
  requestId: string;
};

const toolsByDocument = new WeakMap<ApiDocument, Map<string, OperationTool>>();
const json = "application/json";
type Message = Record<string, unknown>;
/** Enough for an error of the API, which the error of a read repeats in full. */
const maxErrorLength = 1_000;

/**
 * Answers one message of protocol version 2026-07-28 or 2025-11-25, always in JSON, even to clients whose Accept header does
 * not name it. The body has been read and checked. The server sends no notifications, so it offers no streams.
 */
export async function answerMcp(surface: Surface, incoming: Request, message: Message): Promise<Response> {
  return bounded(await answer(surface, incoming, message));
}

async function answer(surface: Surface, incoming: Request, message: Message): Promise<Response> {
  if (message.method === "subscriptions/listen")
    return Response.json({
      jsonrpc: "2.0",
      id: message.id,
      error: { code: -32601, message: "Method not found" },
    });
  const headers = new Headers(incoming.headers);
  headers.set("accept", "application/json, text/event-stream");
  headers.set("content-type", "application/json");
  const request = new Request(incoming.url, { method: "POST", headers, body: JSON.stringify(message) });
  if (!(await isLegacyRequest(request.clone(), message)))
    return createMcpHandler(() => serverFor(surface, incoming), {
      legacy: "reject",
    }).fetch(request, {
      parsedBody: message,
    });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await serverFor(surface, incoming).connect(transport);
  return transport.handleRequest(request, { parsedBody: message });
}

function toolsFor({ document, operations }: Surface): Map<string, OperationTool> {
  const tools = toolsByDocument.get(document) ?? toolsOf(document, operations);
  toolsByDocument.set(document, tools);
  return tools;
}

const noTool = (name: string): string => shortened(`There is no tool ${name}`, maxTextLength);

function serveTools({ server }: McpServer, surface: Surface, incoming: Request): void {
  const tools = toolsFor(surface);
  server.registerCapabilities({ tools: {} });
  server.setRequestHandler("tools/list", () => ({ tools: [...tools.values()].map(({ tool }) => tool) }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    const tool = tools.get(params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, noTool(params.name));
    const values = params.arguments ?? {};
    const faults = faultsIn(tool, values);
    if (faults.length > 0) return refusalOf(faults, surface.requestId);
    return resultOf(tool, await surface.dispatch(tool.operation, requestFor(tool, values, incoming)));
  });
}

/** A record as a resource: the result of the tool that reads it. An error of the API is an error of the read. */
async function readWithTool(name: string, id: string, surface: Surface, incoming: Request): Promise<string> {
  const tool = toolsFor(surface).get(name);
  if (!tool) throw new ProtocolError(ProtocolErrorCode.InternalError, `There is no operation ${name}`);
  const response = await surface.dispatch(tool.operation, requestFor(tool, { id }, incoming));
  const text = await response.text();
  if (!response.ok) throw new ProtocolError(ProtocolErrorCode.InvalidParams, text);
  return text;
}

function serveResources(server: McpServer, surface: Surface, incoming: Request): void {
  const description = "The whole API as OpenAPI 3.1.";
  server.registerResource("api", "perennial://api", { title: "API", description, mimeType: json }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: json, text: JSON.stringify(surface.document) }],
  }));
  for (const [one, operation] of [
    ["subscription", "getSubscription"],
    ["profile", "getProfile"],
  ] as const)
    server.registerResource(
      one,
      new ResourceTemplate(`perennial://${one}s/{id}`, { list: undefined }),
      { title: one, description: `A ${one} by its id.`, mimeType: json },
      async (uri, { id }) => ({
        contents: [
          {
            uri: uri.href,
            mimeType: json,
            text: await readWithTool(operation, String(id), surface, incoming),
          },
        ],
      }),
    );
}

function servePrompts(server: McpServer): void {
  for (const [name, prompt] of Object.entries(prompts))
    server.registerPrompt(
      name,
      { title: prompt.title, description: prompt.description, argsSchema: prompt.arguments },
      (values) => ({
        messages: [
          {
            role: "user" as const,
            content: { type: "text" as const, text: prompt.text(values as Record<string, string>) },
          },
        ],
      }),
    );
}

/** A server for one request. It keeps no state, and can do only what the request's own credentials allow over HTTP. */
function serverFor(surface: Surface, incoming: Request): McpServer {
  const server = new McpServer(
    { name: "perennial", title: "Perennial", version: "1.0.0" },
    {
      instructions:
        "Subscription commerce of one store. Each tool is an operation of the API, and the request's X-API-Key and bearer token decide what it may do. Try changes with dry_run first, and send an idempotency_key with each change that must not happen twice.",
    },
  );
  serveTools(server, surface, incoming);
  serveResources(server, surface, incoming);
  servePrompts(server);
  server.server.registerCapabilities({ resources: { listChanged: false }, prompts: { listChanged: false } });
  return server;
}

/** The SDK's error messages quote what was sent, at any length. */
const boundedError = (error: { message: string; data?: unknown }) => {
  const { data, ...rest } = { ...error, message: shortened(error.message, maxErrorLength) };
  return JSON.stringify(data ?? null).length > maxErrorLength ? rest : { ...rest, data };
};

/** The response, with its error shortened if it has one. */
async function bounded(answered: Response): Promise<Response> {
  const text = await answered.text();
  const message = text.includes('"error":{') ? JSON.parse(text) : {};
  const body = message.error ? JSON.stringify({ ...message, error: boundedError(message.error) }) : text;
  return new Response(answered.body === null ? null : body, answered);
}
