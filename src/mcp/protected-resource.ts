import { z } from "@hono/zod-openapi";
import { allScopes } from "../accounts/scopes.ts";
import { operation } from "../http/operation.ts";

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
      schema: z
        .strictObject({
          resource: z.string(),
          resource_name: z.string(),
          authorization_servers: z.array(z.string()).optional(),
          jwks_uri: z.string(),
          scopes_supported: z.array(z.string()),
          bearer_methods_supported: z.array(z.string()),
        })
        .openapi("ProtectedResource"),
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
