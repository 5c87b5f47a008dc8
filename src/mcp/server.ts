import {
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { mostText } from "../errors.ts";
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

/** What a session needs: what there is to call, and the way to call it. */
export type Surface = {
  document: ApiDocument;
  operations: AnyOperation[];
  dispatch: (operation: AnyOperation, request: Request) => Promise<Response>;
  /** Of the MCP request itself; refusals made here carry it. */
  requestId: string;
};

const made = new WeakMap<ApiDocument, Map<string, OperationTool>>();

const toolsFor = ({ document, operations }: Surface): Map<string, OperationTool> => {
  const known = made.get(document) ?? toolsOf(document, operations);
  made.set(document, known);
  return known;
};

const noTool = (name: string): string => shortened(`There is no tool ${name}`, mostText);

const serveTools = ({ server }: McpServer, surface: Surface, incoming: Request): void => {
  const tools = toolsFor(surface);
  server.registerCapabilities({ tools: {} });
  server.setRequestHandler("tools/list", () => ({ tools: [...tools.values()].map(({ tool }) => tool) }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    const tool = tools.get(params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, noTool(params.name));
    const given = params.arguments ?? {};
    const faults = faultsIn(tool, given);
    if (faults.length > 0) return refusalOf(faults, surface.requestId);
    return resultOf(tool, await surface.dispatch(tool.operation, requestFor(tool, given, incoming)));
  });
};

const json = "application/json";

/** A record as a resource: what its tool would answer. An error of the API is an error of the read. */
const readBy = async (name: string, id: string, surface: Surface, incoming: Request): Promise<string> => {
  const tool = toolsFor(surface).get(name);
  if (!tool) throw new ProtocolError(ProtocolErrorCode.InternalError, `${name} is no operation`);
  const response = await surface.dispatch(tool.operation, requestFor(tool, { id }, incoming));
  const text = await response.text();
  if (!response.ok) throw new ProtocolError(ProtocolErrorCode.InvalidParams, text);
  return text;
};

const serveResources = (server: McpServer, surface: Surface, incoming: Request): void => {
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
          { uri: uri.href, mimeType: json, text: await readBy(operation, String(id), surface, incoming) },
        ],
      }),
    );
};

const servePrompts = (server: McpServer): void => {
  for (const [name, prompt] of Object.entries(prompts))
    server.registerPrompt(
      name,
      { title: prompt.title, description: prompt.description, argsSchema: prompt.arguments },
      (given: Record<string, string>) => ({
        messages: [
          { role: "user" as const, content: { type: "text" as const, text: prompt.text(given as never) } },
        ],
      }),
    );
};

/** A server for one request: it holds nothing, and can do nothing the request's own credentials could not over HTTP. */
const serverFor = (surface: Surface, incoming: Request): McpServer => {
  const server = new McpServer(
    { name: "perennial", title: "Perennial", version: "1.0.0" },
    {
      instructions:
        "Subscription commerce of one store. Tools are the operations of the API; what they may do is what the request's X-API-Key and bearer token may do. Try changes with dry_run first, and send an idempotency_key with what must not happen twice.",
    },
  );
  serveTools(server, surface, incoming);
  serveResources(server, surface, incoming);
  servePrompts(server);
  server.server.registerCapabilities({ resources: { listChanged: false }, prompts: { listChanged: false } });
  return server;
};

type Message = Record<string, unknown>;

/** Room for an error of the API, which the error of a read repeats whole. */
const mostInError = 1_000;

/** What the SDK says of a fault repeats what was sent, of any length. */
const boundedError = (error: { message: string; data?: unknown }) => {
  const { data, ...rest } = { ...error, message: shortened(error.message, mostInError) };
  return JSON.stringify(data ?? null).length > mostInError ? rest : { ...rest, data };
};

/** An answer whose error, if it is one, is short. */
const bounded = async (answered: Response): Promise<Response> => {
  const text = await answered.text();
  const message = text.includes('"error":{') ? JSON.parse(text) : {};
  const body = message.error ? JSON.stringify({ ...message, error: boundedError(message.error) }) : text;
  return new Response(answered.body === null ? null : body, answered);
};

/**
 * Answers one message in JSON, of the protocol of 2026-07-28 or of 2025-11-25. The body has been read and checked;
 * clients that forget to accept JSON get it all the same. There is nothing to listen to: no stream is held open.
 */
export const answerMcp = async (surface: Surface, incoming: Request, message: Message): Promise<Response> =>
  bounded(await answer(surface, incoming, message));

const answer = async (surface: Surface, incoming: Request, message: Message): Promise<Response> => {
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
};
