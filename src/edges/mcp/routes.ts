import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Env } from "../../base/env.ts";
import { DomainError, invalid } from "../../base/errors.ts";
import { findReach } from "../../kit/http/credentials.ts";
import { named } from "../../kit/http/document/describe.ts";
import { type AnyOperation, type HonoEnv, operation } from "../../kit/http/document/operation.ts";
import { anyText, queryList } from "../../kit/http/document/params.ts";
import { countByAddress } from "../../kit/http/rate-limit.ts";
import type { ApiDocument } from "./api-document.ts";
import { jsonRpcErrors } from "./errors.ts";
import { isRecord, recordResources } from "./records.ts";
import { type OperationTool, toolsFrom } from "./tools.ts";
import { isChosen, type Toolset, type ToolsetChoice, toolsets } from "./toolsets.ts";

type Dispatch = HonoEnv["Variables"]["dispatch"];

/** The endpoints for agents. The first MCP request loads the SDK, so that other requests do not pay for it. */
export function mcpOperations(
  documentOn: (now: Date) => Promise<ApiDocument>,
  allOperations: () => Promise<AnyOperation[]>,
): AnyOperation[] {
  const endpoint = ({ readOnly }: { readOnly: boolean }) =>
    operation({
      id: readOnly ? "mcpReadonly" : "mcp",
      method: "post",
      path: readOnly ? "/mcp/readonly" : "/mcp",
      tag: "Agents",
      summary: readOnly
        ? "Call the Model Context Protocol endpoint that only reads"
        : "Call the Model Context Protocol endpoint",
      description: readOnly
        ? "As `POST /mcp`, with the tools that change nothing."
        : "Stateless streamable HTTP, protocol versions 2026-07-28 and 2025-11-25. Operations are tools, called with this request's own credentials; `tools/list` names those that these credentials reach. Errors are JSON-RPC's.",
      credentials: "none",
      idempotent: false,
      countsItself: true,
      query: McpQuery,
      body: JsonRpcRequest,
      errorForm: jsonRpcErrors,
      errors: ["FORBIDDEN", "NOT_FOUND", "UNAUTHENTICATED", "ACCOUNT_MISMATCH"],
      success: { status: 200, description: "A JSON-RPC answer.", schema: JsonRpc },
      alsoAnswers: { 202: { description: "A notification was accepted." } },
      handler: async ({ c, query, body }) => {
        await requireTrustedOrigin(c, c.get("env"));
        const [env, now] = [c.get("env"), c.get("now")];
        const document = await documentOn(now);
        const choice = { toolsets: query.toolsets ?? toolsetsInHeader(c), readOnly };
        const tools = await toolsFrom(document, await allOperations(), env.ENVIRONMENT);
        if (!reachesOperation(body, tools, choice)) await countByAddress(c);
        const reaches = body.method === "tools/list" ? await findReach(c) : () => true;
        let isReached = false;
        const dispatch: Dispatch = (operation, request) => {
          isReached = true;
          return c.get("dispatch")(operation, request);
        };
        const { answerMcp } = await import("./server.ts");
        const form = query.results ?? formFor(c.req.header("mcp-protocol-version"));
        const requestId = c.get("requestId");
        const surface = { document, tools, choice, reaches, dispatch, requestId, form };
        const answered = await answerMcp(surface, c.req.raw, body);
        // The SDK may have refused the message before its operation was reached.
        if (!isReached) await countByAddress(c);
        return c.newResponse(answered.body, answered);
      },
    });
  return [endpoint({ readOnly: false }), endpoint({ readOnly: true })];
}

const JsonRpc = named("JsonRpcMessage", z.looseObject({ jsonrpc: z.literal("2.0") }), {
  jsonrpc: "The version of JSON-RPC: 2.0.",
});

/** A message of a client: a request, or a notification, which has no id. */
const JsonRpcRequest = named(
  "JsonRpcRequest",
  z.strictObject({
    jsonrpc: z.literal("2.0"),
    id: z.union([anyText, z.int()], "must be a string or a whole number").optional(),
    method: z.string().regex(/^[!-~]+$/, "must be the name of a method"),
    params: z.looseObject({}).optional(),
  }),
  {
    jsonrpc: "The version of JSON-RPC: 2.0.",
    id: ["Names the request in its answer. Absent in a notification.", 1],
    method: ["The method of the protocol.", "tools/list"],
    params: ["The method's parameters. Absent where it needs none.", {}],
  },
  { example: { jsonrpc: "2.0", id: 1, method: "tools/list" } },
);

const toolsetList = queryList(toolsets);

const McpQuery = z.strictObject({
  toolsets: toolsetList.optional().openapi({
    description: `Which tools are offered: one or more of ${toolsets.join(", ")}, separated by commas. \`default\` is what is needed every day. The header \`X-MCP-Toolsets\` says the same where this is absent.`,
    example: "subscriptions,orders",
  }),
  results: z.enum(["structured", "text"]).openapi("McpResultForm").optional().openapi({
    description:
      "Where a result's data is: `structured` content, or `text` for clients that show their model nothing else. By default it is structured content, for protocol versions that have it (2025-06-18 and later).",
  }),
});

/** A browser page of another origin must not drive a server that it can reach (MCP, Security). */
async function requireTrustedOrigin(c: Context<HonoEnv>, { ALLOWED_ORIGINS }: Env): Promise<void> {
  const origin = c.req.header("origin");
  if (origin === undefined || origin === new URL(c.req.url).origin || ALLOWED_ORIGINS.includes(origin))
    return;
  await countByAddress(c);
  throw new DomainError("FORBIDDEN", "This origin may not call the MCP endpoint");
}

function toolsetsInHeader(c: Context<HonoEnv>): Toolset[] {
  const header = c.req.header("x-mcp-toolsets");
  if (header === undefined) return ["default"];
  const { data, error } = toolsetList.safeParse(header);
  if (data) return data;
  throw invalid([{ path: "X-MCP-Toolsets", message: error?.issues[0]?.message ?? "is not valid" }]);
}

/** Structured content came with this version of the protocol. A client that names none is older. */
const firstWithStructuredContent = "2025-06-18";

function formFor(version = ""): "structured" | "text" {
  return version >= firstWithStructuredContent ? "structured" : "text";
}

type Params = { name?: unknown; uri?: unknown };

/**
 * Whether a message will reach an operation, which then counts the request by who calls. Everything else is counted by client
 * address, before it is worked on.
 */
function reachesOperation(
  { method, params }: Record<string, unknown>,
  tools: Map<string, OperationTool>,
  choice: ToolsetChoice,
): boolean {
  const { name, uri } = (params ?? {}) as Params;
  if (method === "resources/read") return isRecord(String(uri), recordResources(tools, choice));
  if (method !== "tools/call") return false;
  const tool = tools.get(String(name));
  return tool !== undefined && isChosen(tool.operation, choice);
}
