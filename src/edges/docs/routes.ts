import { SwaggerUI } from "@hono/swagger-ui";
import { z } from "@hono/zod-openapi";
import { demoApiKey } from "../../base/demo.ts";
import type { Env } from "../../base/env.ts";
import { sha256Hex } from "../../base/lib/encoding.ts";
import { conditional, conditionalHeaders, etagOf, notModified } from "../../kit/http/conditional.ts";
import { named } from "../../kit/http/document/describe.ts";
import { type AnyOperation, operation } from "../../kit/http/document/operation.ts";
import { shareParts } from "../../kit/http/document/share-parts.ts";

export const documentInfo = { title: "Perennial", version: "1.0.0" };

/** The description of each group of operations. */
export const tagMeanings: Record<string, string> = {
  Authentication: "Tokens for staff, customers and integrations, and the keys they are checked with.",
  Account: "The merchant's settings, and a test clock.",
  Staff: "The people who sign in to the console, each with a role.",
  Profiles: "Customers: contact data and consent.",
  "Delivery addresses": "The addresses to which a customer's deliveries can go.",
  Entities: "The pets or people that subscriptions are for.",
  Orders: "Orders by subscription, one-time orders and upsells.",
  Goods: "How many of each item the coming days need.",
  Insights: "Figures of what has happened, such as how many subscribers stay.",
  Jobs: "Work on many records, such as bulk actions and imports: begun, watched, paused and taken back.",
  "Activity logs": "The history of subscriptions and orders.",
  Exports: "Records copied out whole, to go on from there with the stream of events.",
  Events: "The stream of everything that happens, oldest first.",
  "Webhook endpoints": "The addresses to which events are sent, and the outcome of each delivery.",
  Subscriptions: "Recurring orders, and all operations on them.",
  Cancellation: "What customers are offered before they leave: the flow, and the case of each who asked.",
  Billing: "Charges of a cycle: charge now, retry, and see the outcome.",
  Declarations: "Cancellations and withdrawals that customers have declared without signing in.",
  "Selling plans": "How products are sold on subscription.",
  "Delivery days": "Days of the week on which the store delivers.",
  "Closed days": "Days on which nothing is delivered, packed or charged, and where dates go from them.",
  "Delivery slots": "Times of day on a delivery day.",
  "Skip reasons": "The reasons a customer can choose for a skip.",
  "Pause reasons": "The reasons a customer can choose for a pause.",
  "Cancellation reasons": "The reasons a customer can choose for a cancellation.",
  Agents: "The same operations as tools of the Model Context Protocol.",
  Portal: "What customers reach: their own records, and what the merchant lets them do.",
  Mails: "Mails to customers: who sends them, in which words, and what came of each.",
  Webhooks: "Events that the connected store sends.",
  Service: "The health of the service.",
  Documentation: "This documentation, for people and for programs.",
};

/** The documentation of all operations, including these. */
export function docsOperations(apiDocument: ApiDocument): AnyOperation[] {
  const contentIn = writeContentsOnce(apiDocument);
  return [
    operation({
      ...common,
      id: "getDocumentationPage",
      path: "/api",
      summary: "Get this documentation as a page",
      description: "For people: every operation, to read and to try.",
      success: { status: 200, description: "Swagger UI.", contentType: "text/html", schema: anyText },
      handler: ({ c }) =>
        c.html(renderPage(c.get("env")), 200, {
          "Content-Security-Policy": contentSecurityPolicy,
          "Cache-Control": caching,
        }),
    }),
    operation({
      ...common,
      id: "getDocumentationJson",
      path: "/api.json",
      summary: "Get this documentation as OpenAPI 3.1 in JSON",
      description: "For programs: generators of clients, test tools, agents.",
      success: {
        status: 200,
        description: "An OpenAPI document.",
        schema: ApiDescription,
        headers: conditionalHeaders,
      },
      ...conditionally,
      handler: async ({ c }) => {
        const { text, etag } = await contentIn("json", c.get("now"));
        return c.body(text, 200, {
          "Content-Type": "application/json",
          "Cache-Control": caching,
          ETag: etag,
        });
      },
    }),
    operation({
      ...common,
      id: "getDocumentationYaml",
      path: "/api.yaml",
      summary: "Get this documentation as OpenAPI 3.1 in YAML",
      description: "The same document as /api.json.",
      success: {
        status: 200,
        description: "An OpenAPI document.",
        contentType: "application/yaml",
        schema: anyText,
        headers: conditionalHeaders,
      },
      ...conditionally,
      handler: async ({ c }) => {
        const { text, etag } = await contentIn("yaml", c.get("now"));
        return c.body(text, 200, {
          "Content-Type": "application/yaml; charset=utf-8",
          "Cache-Control": caching,
          ETag: etag,
        });
      },
    }),
  ];
}

/** The page. A local deployment's has the demo store's key, which opens no other. */
function renderPage({ ENVIRONMENT }: Env): string {
  return `<!doctype html>
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
          ...finder,
          `<div id="swagger-ui"${ENVIRONMENT === "local" ? ` data-demo-key="${demoApiKey}"` : ""}></div>`,
          `<template id="swagger-ui-files">`,
          ...css.map(styleSheet),
          ...js.map((src) => `<script src="${src}"></script>`),
          `</template>`,
          styleSheet("/assets/docs.css"),
          `<script type="module" src="/assets/docs.js"></script>`,
        ].join("\n    "),
    })}
  </body>
</html>
`;
}

function styleSheet(href: string): string {
  return `<link rel="stylesheet" href="${href}" />`;
}

/** The first screen: docs.js fills it, and adds Swagger UI once the reader opens something. */
const finder = [
  `<header class="finder">`,
  `  <h1>${documentInfo.title} API</h1>`,
  `  <p><a href="/docs/index.html">Guides</a> · OpenAPI 3.1 as <a href="/api.json">JSON</a> or <a href="/api.yaml">YAML</a></p>`,
  `  <noscript><p>This page needs JavaScript. The files above say the same without it.</p></noscript>`,
  `  <label for="find">Find an operation</label>`,
  `  <input id="find" type="search" placeholder="skip, payment method, /orders …" autocomplete="off" />`,
  `  <p id="found" role="status"></p>`,
  `  <nav id="groups" aria-label="Groups of operations"></nav>`,
  `</header>`,
  `<div id="listed" class="finder" role="main" aria-label="What was found, and the fields of records">`,
  `  <ul id="results"></ul>`,
  `  <div id="fields"></div>`,
  `  <button id="everything" type="button">Show the introduction, all operations, webhooks and schemas</button>`,
  `  <h2 hidden>Operations</h2>`,
  `</div>`,
];

/** Scripts and styles come from this origin only. Swagger UI needs inline styles. */
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

const ApiDescription = named("ApiDescription", z.looseObject({ openapi: z.string() }), {
  openapi: ["The version of the OpenAPI Specification.", "3.1.0"],
});

type Content = { text: string; etag: string };
type ApiDocument = (now: Date) => Promise<object>;

const writers: Record<"json" | "yaml", (document: object) => string | Promise<string>> = {
  json: (document) => JSON.stringify(document),
  yaml: async (document) => (await import("./yaml.ts")).writeYaml(document),
};

/** Writes the document as text when it is first asked for. Each isolate does so once, because it takes long. */
function writeContentsOnce(apiDocument: ApiDocument) {
  const written = new Map<keyof typeof writers, Content>();
  return async (format: keyof typeof writers, now: Date): Promise<Content> => {
    const known = written.get(format);
    if (known) return known;
    const text = await writers[format](shareParts(await apiDocument(now)));
    const content = { text, etag: etagOf(await sha256Hex(text)) };
    written.set(format, content);
    return content;
  };
}

const conditionally = { middleware: [conditional], alsoAnswers: notModified };
