import { z } from "@hono/zod-openapi";
import { allScopes } from "../../base/accounts/scopes.ts";
import { named } from "../../kit/http/document/describe.ts";
import { operation } from "../../kit/http/document/operation.ts";

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
export const protectedResource = (
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
