import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { allScopes } from "../accounts/scopes.ts";
import type { Env } from "../env.ts";
import { DomainError } from "../errors.ts";
import { named } from "../http/describe.ts";
import type { HonoEnv } from "../http/hono-env.ts";
import { type AnyOperation, operation } from "../http/operation.ts";
import { countByAddress } from "../http/rate-limit.ts";
import type { ApiDocument } from "./tools.ts";

const JsonRpc = named("JsonRpcMessage", z.looseObject({ jsonrpc: z.literal("2.0") }), {
  jsonrpc: "The version of JSON-RPC: 2.0.",
});

/** The SDK checks messages. The document describes those that clients send: requests, and notifications, which have no id. */
const JsonRpcRequest = JsonRpc.openapi("JsonRpcRequest", {
  type: "object",
  properties: {
    jsonrpc: { type: "string", enum: ["2.0"], description: "The version of JSON-RPC: 2.0." },
    id: {
      type: ["string", "integer"],
      pattern: "^[^\\u0000]*$",
      description: "Names the request in its answer. Absent in a notification.",
      example: 1,
    },
    method: {
      type: "string",
      minLength: 1,
      pattern: "^[!-~]+$",
      description: "The method of the protocol.",
      example: "tools/list",
    },
    params: {
      type: "object",
      additionalProperties: true,
      description: "The method's parameters. Absent where it needs none.",
      example: {},
    },
  },
  required: ["jsonrpc", "method"],
  additionalProperties: {},
  example: { jsonrpc: "2.0", id: 1, method: "tools/list" },
});

/** Methods that can reach an operation, which then counts the request by who calls. All else is counted by client address. */
const canReachOperation = new Set(["tools/call", "resources/read"]);

/** A browser page of another origin must not drive a server that it can reach (MCP, Security). */
const requireTrustedOrigin = async (c: Context<HonoEnv>, { ALLOWED_ORIGINS }: Env): Promise<void> => {
  const origin = c.req.header("origin");
  if (origin === undefined || origin === new URL(c.req.url).origin || ALLOWED_ORIGINS.includes(origin))
    return;
  await countByAddress(c);
  throw new DomainError("FORBIDDEN", "This origin may not call the MCP endpoint");
};

const ProtectedResource = named(
  "ProtectedResource",
  z.strictObject({
    resource: z.string(),
    resource_name: z.string(),
    authorization_servers: z.array(z.string()).optional(),
    jwks_uri: z.string(),
    scopes_supported: z.array(z.string()),
    bearer_methods_supported: z.array(z.string()),
  }),
  {
    resource: ["The URL of the MCP endpoint.", "https://api.example.com/mcp"],
    resource_name: ["Its name for people.", "Perennial"],
    authorization_servers: [
      "The identity providers whose tokens it takes; absent where only its own are taken.",
      ["https://login.example.com"],
    ],
    jwks_uri: ["Where the public keys of tokens are.", "https://api.example.com/.well-known/jwks.json"],
    scopes_supported: ["The scopes that a token can have.", ["subscriptions:read", "subscriptions:write"]],
    bearer_methods_supported: ["How a token is sent: in the header Authorization.", ["header"]],
  },
);

/** RFC 9728 §3.1: clients look for the metadata of `/mcp` under the resource's own path first. */
const protectedResource = (
  [
    ["getProtectedResource", "/.well-known/oauth-protected-resource"],
    ["getProtectedResourceOfMcp", "/.well-known/oauth-protected-resource/mcp"],
  ] as const
).map(([id, path]) =>
  operation({
    id,
    method: "get",
    path,
    tag: "Agents",
    summary: "Get the protection of the MCP endpoint",
    description:
      "Metadata of RFC 9728. `POST /api/auth/token` issues tokens, or the identity provider if `authorization_servers` names one.",
    credentials: "none",
    success: {
      status: 200,
      description: "Protected resource metadata.",
      schema: ProtectedResource,
    },
    handler: ({ c }) => {
      const { origin } = new URL(c.req.url);
      const { JWT_ISSUER: issuer, JWKS_URL: keys } = c.get("env");
      return {
        resource: `${origin}/mcp`,
        resource_name: "Perennial",
        ...(issuer ? { authorization_servers: [issuer] } : {}),
        jwks_uri: keys ?? `${origin}/.well-known/jwks.json`,
        scopes_supported: allScopes,
        bearer_methods_supported: ["header"],
      };
    },
  }),
);

/** The whole API for agents. The first MCP request loads the SDK, so that other requests do not pay for it. */
export const mcpOperations = (
  document: (now: Date) => ApiDocument,
  operations: () => AnyOperation[],
): AnyOperation[] => [
  operation({
    id: "mcp",
    method: "post",
    path: "/mcp",
    tag: "Agents",
    summary: "Call the Model Context Protocol endpoint",
    description:
      "Stateless streamable HTTP, protocol versions 2026-07-28 and 2025-11-25. Each operation is a tool, called with this request's own credentials.",
    credentials: "none",
    idempotent: false,
    countsItself: true,
    body: JsonRpcRequest,
    errors: ["FORBIDDEN"],
    success: { status: 200, description: "A JSON-RPC answer.", schema: JsonRpc },
    alsoAnswers: {
      202: { description: "A notification was accepted." },
      400: { description: "A JSON-RPC error.", schema: JsonRpc },
      404: { description: "A JSON-RPC error: no such method.", schema: JsonRpc },
    },
    handler: async ({ c, body }) => {
      await requireTrustedOrigin(c, c.get("env"));
      if (!canReachOperation.has(String(body.method))) await countByAddress(c);
      const { answerMcp } = await import("./server.ts");
      const reached = new Set<AnyOperation>();
      const dispatch: HonoEnv["Variables"]["dispatch"] = (operation, request) => {
        reached.add(operation);
        return c.get("dispatch")(operation, request);
      };
      const surface = {
        document: document(c.get("now")),
        operations: operations(),
        dispatch,
        requestId: c.get("requestId"),
      };
      const answered = await answerMcp(surface, c.req.raw, body);
      if (reached.size === 0) await countByAddress(c);
      return c.newResponse(answered.body, answered);
    },
  }),
  ...protectedResource,
];
