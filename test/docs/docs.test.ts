import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { demoApiKey, demoShop } from "../../src/demo.ts";
import { api, nobody } from "../support/client.ts";
import { apiDocument, operations } from "../support/document.ts";

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

  test("loads nothing from any other host, and no inline script, which the policy would refuse", async () => {
    const { text } = await api(nobody, "GET", "/api");
    const links = [...text.matchAll(/\b(?:src|href|action)="([^"]*)"/g)].map(([, link]) => link!);
    expect(links.length).toBeGreaterThanOrEqual(3);
    for (const link of links) expect(link).toMatch(/^\/[^/]/);
    expect(text).not.toMatch(/https?:\/\/|\/\/cdn|jsdelivr|unpkg|googleapis/);
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>/);
    expect(text).not.toMatch(/\son\w+=/);
  });

  test("what it loads is served", async () => {
    const { text } = await api(nobody, "GET", "/api");
    const links = [...text.matchAll(/\b(?:src|href)="([^"]*)"/g)].map(([, link]) => link!);
    for (const link of links) {
      const response = await env.ASSETS.fetch(`https://perennial.test${link}`);
      expect(response.status, link).toBe(200);
      expect(await response.text(), link).not.toMatch(/sourceMappingURL=https?:/);
    }
  });
});

describe("GET /api.json and /api.yaml are the API description", () => {
  test("OpenAPI 3.1, version 1.0.0", () => {
    expect(apiDocument.openapi).toMatch(/^3\.1\./);
    expect(apiDocument.info.version).toBe("1.0.0");
  });

  test("both say the same", async () => {
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

  test("each operation's requirement is the one agreed on", () => {
    const wanted = (path: string) => {
      if (/^\/api\/(profiles|activity-logs)(\/|$)|^\/api\/subscriptions\/orders(\/|$)/.test(path))
        return [{ apiKey: [], bearer: [] }];
      if (/^\/api\/subscriptions\/entities(\/|$)|^\/api\/auth\/token$/.test(path)) return [{ apiKey: [] }];
      if (/^\/api\/(subscriptions|account)(\/|$)/.test(path)) return [{ apiKey: [] }, { bearer: [] }];
      return [];
    };
    for (const { path, method, security } of operations)
      expect(security, `${method} ${path}`).toEqual(wanted(path));
  });

  test("every reference in it leads somewhere", () => {
    const references = JSON.stringify(apiDocument).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g);
    for (const [, name] of references) expect(apiDocument.components.schemas).toHaveProperty([name!]);
  });

  test("its examples name the demo store, and it holds no key", () => {
    const text = JSON.stringify(apiDocument);
    expect(text).toContain(demoShop);
    expect(text).not.toContain(demoApiKey);
    expect(text).not.toContain(env.JWT_PRIVATE_JWK);
  });
});
