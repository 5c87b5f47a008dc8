/** The documentation page and the API description are served, complete, and load nothing from elsewhere. */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { demoApiKey, demoShop } from "../../../src/base/demo.ts";
import { circlesIn } from "../../support/circles.ts";
import { api, deployment, nobody } from "../../support/client.ts";
import {
  apiDocument,
  jsonBodyOf,
  operations,
  resolve,
  type Schema,
  titleOf,
} from "../../support/document.ts";

describe("GET /api is the documentation UI", () => {
  test("text/html with a strict Content-Security-Policy", async () => {
    const { status, headers } = await api(nobody, "GET", "/api");
    expect(status).toBe(200);
    expect(headers.get("Content-Type")).toMatch(/^text\/html; ?charset=utf-8$/i);
    const policy = Object.fromEntries(
      headers
        .get("Content-Security-Policy")!
        .split("; ")
        .map((directive) => {
          const [name, ...values] = directive.split(" ");
          return [name, values];
        }),
    );
    expect(policy).toEqual({
      "default-src": ["'none'"],
      "script-src": ["'self'"],
      "style-src": ["'self'", "'unsafe-inline'"],
      "img-src": ["'self'", "data:"],
      "connect-src": ["'self'"],
      "base-uri": ["'none'"],
      "form-action": ["'none'"],
      "frame-ancestors": ["'none'"],
    });
  });

  test("loads nothing from other hosts, and has no inline script, which the policy would refuse", async () => {
    const { text } = await api(nobody, "GET", "/api");
    const links = [...text.matchAll(/\b(?:src|href|action)="([^"]*)"/g)].map(([, link]) => link!);
    expect(links.length).toBeGreaterThanOrEqual(3);
    for (const link of links) expect(link).toMatch(/^\/[^/]/);
    expect(text).not.toMatch(/https?:\/\/|\/\/cdn|jsdelivr|unpkg|googleapis/);
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>/);
    expect(text).not.toMatch(/\son\w+=/);
  });

  test("a local deployment's has the demo store's key, any other none", async () => {
    const pageOf = async (ENVIRONMENT: string) =>
      (await deployment({ ENVIRONMENT })(nobody, "GET", "http://localhost/api")).text;
    expect(await pageOf("local")).toContain(`data-demo-key="${demoApiKey}"`);
    for (const name of ["staging", "production"]) expect(await pageOf(name)).not.toMatch(/demo-key|prnl_/);
  });

  test("everything it loads is served", async () => {
    const { text } = await api(nobody, "GET", "/api");
    const links = [...text.matchAll(/<(?:link|script)[^>]*\b(?:src|href)="([^"]*)"/g)].map(
      ([, link]) => link!,
    );
    expect(links).toHaveLength(4);
    for (const link of links) {
      const response = await env.ASSETS.fetch(`https://perennial.test${link}`);
      expect(response.status, link).toBe(200);
      expect(await response.text(), link).not.toMatch(/sourceMappingURL=https?:/);
    }
  });
});

test("the page leads to the guides, and to the document as files", async () => {
  const { text } = await api(nobody, "GET", "/api");
  for (const path of ["/docs/index.html", "/api.json", "/api.yaml"])
    expect(text).toContain(`<a href="${path}">`);
});

test("Swagger UI's licences are served beside its files", async () => {
  for (const file of ["LICENSE", "NOTICE", "swagger-ui-bundle.js.LICENSE.txt"]) {
    const response = await env.ASSETS.fetch(`https://perennial.test/assets/swagger-ui-dist/${file}`);
    expect(response.status, file).toBe(200);
    expect(await response.text(), file).toMatch(/licen[cs]e|copyright/i);
  }
});

describe("GET /api.json and /api.yaml are the API description", () => {
  test.each(["/api.json", "/api.yaml"])(
    "%s has an ETag, and answers 304 to a client that has this version",
    async (path) => {
      const first = await api(nobody, "GET", path);
      const tag = first.headers.get("ETag") ?? "";
      expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
      const again = await api(nobody, "GET", path, { headers: { "If-None-Match": `"other", ${tag}` } });
      expect([again.status, again.text, again.headers.get("ETag")]).toEqual([304, "", tag]);
      expect(again.headers.get("Cache-Control")).toBe(first.headers.get("Cache-Control"));
      const other = await api(nobody, "GET", path, { headers: { "If-None-Match": '"other"' } });
      expect([other.status, other.text]).toEqual([200, first.text]);
    },
  );

  test("OpenAPI 3.1, version 1.0.0", () => {
    expect(apiDocument.openapi).toMatch(/^3\.1\./);
    expect(apiDocument.info.version).toBe("1.0.0");
  });

  test("both have the same content", async () => {
    const [json, yaml] = [await api(nobody, "GET", "/api.json"), await api(nobody, "GET", "/api.yaml")];
    expect(json.headers.get("Content-Type")).toMatch(/^application\/json/);
    expect(yaml.headers.get("Content-Type")).toMatch(/^application\/yaml/);
    expect(parse(yaml.text)).toEqual(json.body);
  });

  test("two security schemes exist: apiKey in X-API-Key, bearer with JWT", () => {
    const { apiKey, bearer, ...others } = apiDocument.components.securitySchemes;
    expect(apiKey).toMatchObject({ type: "apiKey", in: "header", name: "X-API-Key" });
    expect(bearer).toMatchObject({ type: "http", scheme: "bearer", bearerFormat: "JWT" });
    expect(others).toEqual({});
  });

  /** The resource that an operation reads or changes: the first whose path matches. */
  const resources: [string, RegExp][] = [
    ["tokens", /^\/api\/auth\/token$/],
    ["activity", /^\/api\/activity-logs(\/|$)|^\/api\/profiles\/\{id\}\/activity$/],
    ["profiles", /^\/api\/profiles(\/|$)/],
    ["portal", /^\/api\/(account\/(portal|cancellation-flow)(\/|$)|portal(\/|$))/],
    ["account", /^\/api\/account(\/|$)/],
    ["orders", /^\/api\/subscriptions\/orders(\/|$)/],
    ["entities", /^\/api\/subscriptions\/entities(\/|$)/],
    ["plans", /^\/api\/subscriptions\/selling-plans(\/|$)/],
    ["delivery", /^\/api\/subscriptions\/(delivery-(days|slots)|closed-days)(\/|$)/],
    ["reasons", /^\/api\/subscriptions\/(skip|pause|cancellation)-reasons(\/|$)/],
    ["billing", /\{id\}\/(ship-now|retry-payment|resume-billing|billing-attempts|dunning-episodes)(\/|$)/],
    ["billing", /^\/api\/(billing-attempts|dunning-episodes)(\/|$)/],
    ["staff", /^\/api\/staff(\/|$)/],
    ["events", /^\/api\/events(\/|$)/],
    ["webhooks", /^\/api\/webhook-endpoints(\/|$)/],
    ["mails", /^\/api\/mails(\/|$)/],
    ["jobs", /^\/api\/(jobs|bulk|imports|exports)(\/|$)|^\/api\/forecast\/goods\/runs$/],
    ["insights", /^\/api\/insights\//],
    ["goods", /^\/api\/forecast\/goods$/],
    ["subscriptions", /^\/api\/(subscriptions|declarations)(\/|$)/],
  ];
  test("each operation requires the agreed credentials", () => {
    const wanted = (path: string, method: string) => {
      const [resource] = resources.find(([, pattern]) => pattern.test(path)) ?? [];
      const scopes = [`${resource}:${method === "GET" ? "read" : "write"}`];
      if (resource === undefined) return [];
      if (resource === "goods") return [{ apiKey: ["orders:read"] }, { bearer: ["orders:read"] }];
      if (path === "/api/forecast/goods/runs") return [{ apiKey: scopes }, { bearer: scopes }];
      if (path.endsWith("/refunds")) {
        const ofMoney = [method === "GET" ? "billing:read" : "billing:write"];
        return [{ apiKey: ofMoney, bearer: ofMoney }];
      }
      if (["profiles", "activity", "orders"].includes(resource)) return [{ apiKey: scopes, bearer: scopes }];
      if (["entities", "tokens", "jobs"].includes(resource)) return [{ apiKey: scopes }];
      if (path.startsWith("/api/account/keys")) return [{ apiKey: scopes }];
      if (path === "/api/portal/store-sessions") return [];
      if (path === "/api/portal/sessions") return [{ apiKey: scopes }];
      if (path.startsWith("/api/portal/")) return [{ bearer: scopes }];
      return [{ apiKey: scopes }, { bearer: scopes }];
    };
    for (const { path, method, security } of operations)
      expect(security, `${method} ${path}`).toEqual(wanted(path, method));
  });

  test("every reference has its target", () => {
    const references = JSON.stringify(apiDocument).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g);
    for (const [, kind, name] of references) expect(apiDocument.components).toHaveProperty([kind!, name!]);
  });

  test("no part refers to itself, so that the page /api can put in all that one refers to", () => {
    const references = (part: unknown) =>
      [...JSON.stringify(part).matchAll(/"\$ref":"#\/components\/(\w+\/[^"]+)"/g)].map(([, name]) => name!);
    const arrows = Object.entries(apiDocument.components).flatMap(([kind, named]) =>
      Object.entries(named as object).flatMap(([name, part]) =>
        references(part).map((to) => ({ from: `${kind}/${name}`, to })),
      ),
    );
    expect(arrows.length).toBeGreaterThan(100);
    expect(circlesIn(arrows)).toEqual([]);
  });

  test("its examples name the demo store, and it holds no key", () => {
    const text = JSON.stringify(apiDocument);
    expect(text).toContain(demoShop);
    expect(text).not.toContain(demoApiKey);
    expect(text).not.toContain(env.JWT_PRIVATE_JWK);
  });
});

type Found = { at: string; schema: Schema };

/** Every object in the document, but for examples. */
function objectsIn(value: unknown, at = ""): Found[] {
  return typeof value !== "object" || value === null
    ? []
    : [
        ...(Array.isArray(value) ? [] : [{ at, schema: value }]),
        ...Object.entries(value).flatMap(([key, member]) =>
          key === "example" ? [] : objectsIn(member, `${at}/${key}`),
        ),
      ];
}

describe("parts that several operations share are components", () => {
  test("a failure is a response that operations share, and names the codes that it may have", () => {
    for (const operation of operations) {
      // MCP's failures have the form of its own protocol.
      if (operation.path.startsWith("/mcp")) continue;
      const shown = apiDocument.paths[operation.path]![operation.method.toLowerCase()]!.responses;
      const failures = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400);
      expect(failures.length, titleOf(operation)).toBeGreaterThan(0);
      for (const [status, { description }] of failures) {
        expect(shown[status], titleOf(operation)).toHaveProperty("$ref");
        expect(description, titleOf(operation)).toMatch(/^[A-Z].+: [A-Z_, ]+\.$/);
      }
    }
  });

  test("parameters, headers and responses that are the same stand there once", () => {
    const repeated = new Map<string, number>();
    for (const { at, schema } of objectsIn(apiDocument))
      if (/\/(parameters\/\d+|headers\/[^/]+)$/.test(at) && !("$ref" in schema)) {
        const text = JSON.stringify(schema);
        repeated.set(text, (repeated.get(text) ?? 0) + 1);
      }
    expect([...repeated].filter(([, count]) => count > 2)).toEqual([]);
    expect(JSON.stringify(apiDocument).length).toBeLessThan(1_000_000);
  });

  test("an enumeration is defined once", () => {
    const enumerations = objectsIn(apiDocument).filter(({ schema }) => schema.enum?.length > 1);
    const places = Map.groupBy(enumerations, ({ schema }) =>
      schema.enum.filter((value: unknown) => value !== null).join(),
    );
    expect(places.size).toBeGreaterThan(20);
    const repeated = [...places].filter(([, found]) => found.length > 1);
    expect(repeated.map(([values, found]) => [values, found.map(({ at }) => at)])).toEqual([]);
  });

  test("each text in a request has a format, a pattern or its values", () => {
    const texts: string[] = [];
    const visited = new Set<Schema>();
    const walk = (schema: Schema, at: string): void => {
      const resolved = resolve(schema);
      if (visited.has(resolved)) return;
      visited.add(resolved);
      const { type, properties = {}, items, ...rest } = resolved;
      const hasForm = ["format", "pattern", "enum", "const", "anyOf"].some((keyword) => keyword in rest);
      if ([type].flat().includes("string") && !hasForm) texts.push(at);
      for (const [name, member] of Object.entries(properties as Record<string, Schema>))
        walk(member, `${at}.${name}`);
      if (items) walk(items, `${at}[]`);
      for (const branch of [...(rest.anyOf ?? []), ...(rest.oneOf ?? []), ...(rest.allOf ?? [])])
        walk(branch, at);
    };
    for (const operation of operations) {
      for (const { name, schema } of operation.parameters ?? [])
        walk(schema, `${titleOf(operation)} ${name}`);
      const body = jsonBodyOf(operation);
      if (body) walk(body, titleOf(operation));
    }
    expect(texts).toEqual([]);
  });

  test("no named schema is nullable: null is stated where the schema is used", () => {
    const nullable = Object.entries(apiDocument.components.schemas).filter(([, { type, oneOf, anyOf }]) =>
      [{ type }, ...(oneOf ?? []), ...(anyOf ?? [])].some((form) => [form.type].flat().includes("null")),
    );
    expect(nullable.map(([name]) => name)).toEqual([]);
    const references = objectsIn(apiDocument).filter(({ schema }) =>
      schema.allOf?.some((part: Schema) => part.$ref !== undefined),
    );
    expect(references, "a reference with a type beside it, which would allow no null").toEqual([]);
  });

  test("whole numbers of more than 32 bits have the format int64", () => {
    const integers = objectsIn(apiDocument).filter(({ schema }) => [schema.type].flat().includes("integer"));
    const wide = integers.filter(
      ({ at, schema }) => schema.maximum >= 2 ** 31 || at.endsWith("/store_contract_id"),
    );
    expect(wide.length).toBeGreaterThanOrEqual(4);
    for (const { at, schema } of wide) expect(schema.format, at).toBe("int64");
  });
});
