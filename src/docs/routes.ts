import { SwaggerUI } from "@hono/swagger-ui";
import { z } from "@hono/zod-openapi";
import { type AnyOperation, operation } from "../http/operation.ts";

export const documentInfo = {
  title: "Perennial",
  version: "1.0.0",
  description:
    "Subscription commerce at the edge: profiles, entities, subscriptions, orders, skip reasons and their history.",
};

/** What each group of operations is about. */
export const tagMeanings: Record<string, string> = {
  Authentication: "Tokens for staff, customers and integrations, and the keys they are checked with.",
  Account: "The merchant's settings, and a clock to test with.",
  Profiles: "Customers: contact data and consent.",
  "Delivery addresses": "Where a customer's deliveries can go.",
  Entities: "What subscriptions are for: pets, people.",
  Orders: "What was sold: by subscription, at once, or on top.",
  "Activity logs": "The history of subscriptions and orders.",
  Events: "Everything that has happened, as a stream to read on from where one was.",
  "Webhook endpoints": "Where events are sent to as they happen, and what became of each.",
  Subscriptions: "Recurring orders, and everything that can be done with them.",
  Billing: "Charging a cycle: now, again, and what came of it.",
  "Selling plans": "How products are sold on subscription.",
  "Delivery days": "Days of the week on which the store delivers.",
  "Delivery slots": "Times of day on a delivery day.",
  "Skip reasons": "Why a customer skips, to choose from.",
  "Pause reasons": "Why a customer pauses, to choose from.",
  "Cancellation reasons": "Why a customer cancels, to choose from.",
  Agents: "The same operations as tools of the Model Context Protocol.",
  Portal: "What customer portals read without credentials.",
  Webhooks: "What the connected store tells of.",
  Service: "How the service is doing.",
  Documentation: "This description, for people and for programs.",
};

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${documentInfo.title} API</title>
  </head>
  <body>
    ${SwaggerUI({
      baseUrl: "/assets",
      url: "/api.json",
      manuallySwaggerUIHtml: ({ css, js }) =>
        [
          `<div id="swagger-ui"></div>`,
          ...css.map((href) => `<link rel="stylesheet" href="${href}" />`),
          ...[...js, "/assets/docs.js"].map((src) => `<script src="${src}" defer></script>`),
        ].join("\n    "),
    })}
  </body>
</html>
`;

/** Scripts and styles come from this origin only; Swagger UI sets styles inline. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const caching = "public, max-age=300";
const common = { tag: "Documentation", credentials: "none", method: "get" } as const;
const anyText = z.string();

/** The documentation of all operations, these among them. */
export const docsOperations = (apiDocument: (now: Date) => object): AnyOperation[] => {
  return [
    operation({
      ...common,
      id: "getDocumentationPage",
      path: "/api",
      summary: "This documentation, to read and to try",
      success: { status: 200, description: "Swagger UI.", contentType: "text/html", schema: anyText },
      handler: ({ c }) =>
        c.html(page, 200, { "Content-Security-Policy": contentSecurityPolicy, "Cache-Control": caching }),
    }),
    operation({
      ...common,
      id: "getDocumentationJson",
      path: "/api.json",
      summary: "This documentation as OpenAPI 3.1 in JSON",
      success: {
        status: 200,
        description: "An OpenAPI document.",
        schema: z.looseObject({ openapi: z.string() }),
      },
      handler: ({ c }) => c.json(apiDocument(c.get("now")), 200, { "Cache-Control": caching }),
    }),
    operation({
      ...common,
      id: "getDocumentationYaml",
      path: "/api.yaml",
      summary: "This documentation as OpenAPI 3.1 in YAML",
      success: {
        status: 200,
        description: "An OpenAPI document.",
        contentType: "application/yaml",
        schema: anyText,
      },
      handler: async ({ c }) => {
        const { stringify } = await import("yaml");
        return c.body(stringify(apiDocument(c.get("now")), { aliasDuplicateObjects: false }), 200, {
          "Content-Type": "application/yaml; charset=utf-8",
          "Cache-Control": caching,
        });
      },
    }),
  ];
};
