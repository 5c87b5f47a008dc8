/** Only the operations that are listed here need no credential. */
import { expect, test } from "vitest";
import { isAnonymous, operations, titleOf } from "../support/document.ts";

test("only documentation, health, public keys, the portal's reasons, MCP's transport, signed webhooks and tokens in the body need no credential", () => {
  expect(operations.filter(isAnonymous).map(titleOf).sort()).toEqual([
    "GET /.well-known/jwks.json",
    "GET /.well-known/oauth-protected-resource",
    "GET /.well-known/oauth-protected-resource/mcp",
    "GET /.well-known/security.txt",
    "GET /api",
    "GET /api.json",
    "GET /api.yaml",
    "GET /api/public/portal/skip-reasons",
    "GET /health",
    "POST /api/portal/store-sessions",
    "POST /mcp",
    "POST /mcp/readonly",
    "POST /webhooks/mail/{provider}/{account_id}",
    "POST /webhooks/shopify",
    "POST /webhooks/stripe/{account_id}",
  ]);
});
