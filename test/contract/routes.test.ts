import { describe, expect, test } from "vitest";
import { appFor } from "../../src/runtime/app.ts";
import { api, nobody } from "../support/client.ts";
import { expectSafeHeaders, portalPath, withEnvelope } from "../support/conform.ts";
import { apiDocument, each, faultsOf, operations, titleOf } from "../support/document.ts";

const documented = operations.map(titleOf).sort();
const paths = Object.keys(apiDocument.paths);

function honoPath(path: string): string {
  return path.replaceAll(/\{(.+?)\}/g, ":$1");
}

function concrete(path: string): string {
  return path.replaceAll(/\{.+?\}/g, "1");
}

const apps = new Map(await Promise.all(paths.map(async (path) => [path, await appFor(path)] as const)));

function routesOf(path: string) {
  return apps.get(path)?.routes ?? [];
}
const routes = paths.flatMap(routesOf);

test("every mounted route is in the document, and every documented operation is mounted", () => {
  const mounted = new Set(
    routes.filter(({ method }) => method !== "ALL").map(({ method, path }) => `${method} ${path}`),
  );
  expect([...mounted].sort()).toEqual(
    operations.map(({ method, path }) => `${method} ${honoPath(path)}`).sort(),
  );
});

test("only the 405 of documented paths and the middleware are mounted for all methods", () => {
  const catchAll = new Set(routes.filter(({ method }) => method === "ALL").map(({ path }) => path));
  expect([...catchAll].sort()).toEqual([...new Set(["/*", ...paths.map(honoPath)])].sort());
});

test("each documented path has an app with its own operations, which its requests find too", async () => {
  for (const path of paths) {
    const operated = routesOf(path).filter(({ method }) => method !== "ALL");
    expect([...new Set(operated.map((route) => route.path))]).toEqual([honoPath(path)]);
    expect(await appFor(concrete(path)), path).toBe(apps.get(path));
  }
  expect(new Set(apps.values()).size).toBe(paths.length);
});

/** Pages that a browser visits are not in the document (test/shopify/install.test.ts, test/portal). */
test("pages share an app, operators' paths another, and all unknown paths one without operations", async () => {
  const appsOf = async (paths: string[]) => [...new Set(await Promise.all(paths.map(appFor)))];
  const others = await Promise.all([
    appsOf(["/", "/portal", "/portal/a-shop/enter"]),
    appsOf(["/internal/statements", "/internal/nope"]),
    appsOf(["/nope", "/api/nope", "/api/subscriptions/1/nope", "/shopify/nope", "//api", "/%00"]),
  ]);
  expect(others.map((each) => each.length)).toEqual([1, 1, 1]);
  expect(new Set(others.flat()).size).toBe(3);
  const [, , [unknown]] = others;
  expect(unknown?.routes.filter(({ method }) => method !== "ALL")).toEqual([]);
});

test("operationIds are unique", () => {
  const ids = operations.map(({ operationId }) => operationId);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test("each operation has a summary, a tag, and documents its failures", () => {
  for (const operation of operations) {
    const { summary, tags, operationId, responses, security, path, parameters = [] } = operation;
    const title = titleOf(operation);
    expect.soft(operationId, title).toMatch(/^[a-z][A-Za-z0-9]+$/);
    expect.soft(summary, title).toMatch(/^[A-Z].{4,}/);
    expect.soft(tags, title).toHaveLength(1);
    expect.soft(security, title).toBeDefined();
    expect
      .soft(
        Object.keys(responses).some((status) => /^4\d\d$/.test(status)),
        title,
      )
      .toBe(true);
    for (const [, name] of path.matchAll(/\{(.+?)\}/g))
      expect
        .soft(parameters, title)
        .toContainEqual(expect.objectContaining({ name, in: "path", required: true }));
  }
});

test("a known path with another method is 405 METHOD_NOT_ALLOWED with Allow", async () => {
  for (const path of paths) {
    const methods = Object.keys(apiDocument.paths[path] ?? {}).map((method) => method.toUpperCase());
    const allowed = methods.includes("GET") ? [...methods, "HEAD"] : methods;
    const preflighted = path === portalPath ? ["OPTIONS"] : [];
    const others = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE"].filter(
      (method) => ![...allowed, ...preflighted].includes(method),
    );
    for (const method of others) {
      const answer = await api(nobody, method, concrete(path));
      const asked = `${method} ${path}`;
      expect.soft(answer.status, asked).toBe(405);
      expect.soft(answer.headers.get("Allow")?.split(", ").sort(), asked).toEqual([...allowed].sort());
      expectSafeHeaders(path, answer);
      if (method === "HEAD") continue;
      const form = path.startsWith("/mcp") ? "JsonRpcError" : "Error";
      expect.soft(faultsOf({ $ref: `#/components/schemas/${form}` }, answer.body), asked).toEqual([]);
      expect.soft(withEnvelope(answer).body.errorCode, asked).toBe("METHOD_NOT_ALLOWED");
    }
  }
});

test.each(["/nope", "/api/", "/api/nope", "/API", "/api/subscriptions/skip-reasons/1/2", "/%00", "//api"])(
  "an unknown path is 404 NOT_FOUND: %s",
  async (path) => {
    const answer = await api(nobody, "GET", `https://perennial.test${path}`);
    expect([answer.status, answer.body.errorCode]).toEqual([404, "NOT_FOUND"]);
    expect(faultsOf({ $ref: "#/components/schemas/Error" }, answer.body)).toEqual([]);
    expectSafeHeaders(path, answer);
  },
);

test("the document lists each operation once", () => {
  expect(new Set(documented).size).toBe(documented.length);
});

describe("HEAD returns what GET does, without a body", () => {
  const readable = operations.filter(({ method, path }) => method === "GET" && !path.includes("{"));
  test.each(each(readable.filter(({ security = [] }) => security.length === 0)))(
    "%s",
    async (_, { path }) => {
      const shop = path === portalPath ? { query: { shop: "nobody.example" } } : {};
      const [get, head] = [await api(nobody, "GET", path, shop), await api(nobody, "HEAD", path, shop)];
      expect(head.status).toBe(get.status);
      expect(head.text).toBe("");
      for (const name of ["content-type", "cache-control"])
        expect(head.headers.get(name)).toBe(get.headers.get(name));
    },
  );
});
