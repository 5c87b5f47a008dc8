import type { Hono } from "hono";
import type { HonoEnv } from "../../kit/http/document/operation.ts";

type Described = { paths: Record<string, Record<string, { tags?: string[]; summary?: string }>> };

/** Serves /llms.txt (https://llmstxt.org): a deployment's pages, its operations, and how an agent connects. */
export function serveLlms(app: Hono<HonoEnv>, apiDocument: (now: Date) => Promise<object>): Hono<HonoEnv> {
  return app.get("/llms.txt", async (c) => {
    const document = (await apiDocument(c.get("now"))) as Described;
    c.header("Cache-Control", "public, max-age=300");
    return c.text(llmsText(c.get("env").PUBLIC_URL, document));
  });
}

function llmsText(address: string, { paths }: Described): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { tags: [tag = ""] = [], summary = "" }]) => ({
      tag,
      line: `- ${method.toUpperCase()} ${path}: ${summary}`,
    })),
  );
  const groups = [...Map.groupBy(operations, ({ tag }) => tag)].map(
    ([tag, its]) => `### ${tag}\n\n${its.map(({ line }) => line).join("\n")}`,
  );
  return `# Perennial

> A back end for shops that sell by subscription: plans, deliveries, charges, failed payments, mails, a portal for customers and a console for staff.

## Connect an agent

Model Context Protocol, streamable HTTP, at ${address}/mcp; ${address}/mcp/readonly changes nothing. Headers: \`X-API-Key\`, and for profiles, orders and activity also \`Authorization: Bearer\` with a token of POST /api/auth/token. Call a change with \`dry_run\` first, show what it says, then call it with the \`preview\` that it names.

## Pages

- [Guides](${address}/docs/index.html): for those who sell, build, operate and change it
- [Connect an agent](${address}/docs/agent/connect.html), [what it may do](${address}/docs/agent/what-it-may-do.html)
- [Your first charge](${address}/docs/build/first-charge.html), [errors and repeats](${address}/docs/build/errors-and-repeats.html), [webhooks](${address}/docs/build/webhooks.html)
- [Start a shop](${address}/docs/sell/start.html), [choose how to run it](${address}/docs/run/choose.html)
- [API](${address}/api): every operation, to read and to try; [OpenAPI 3.1](${address}/api.json)
- ${address}/portal/{shop} is the portal of a shop's customers, ${address}/console/{shop} the console of its staff, ${address}/health the health of the service

## Operations

${groups.join("\n\n")}
`;
}
