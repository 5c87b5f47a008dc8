/** Every operation that is served is documented, every documented one is served, and HEAD answers as GET does. */
import { describe, expect, test } from "vitest";
import { newId } from "../../src/base/lib/ids.ts";
import { route, paths as servedPaths } from "../../src/runtime/app.ts";
import { api, nobody } from "../support/client.ts";
import { expectSafeHeaders, openPaths, portalPath, withEnvelope } from "../support/conform.ts";
import { apiDocument, each, faultsOf, operations, titleOf } from "../support/document.ts";

const documented = operations.map(titleOf).sort();
const paths = Object.keys(apiDocument.paths);

function concrete(path: string): string {
  return path.replaceAll(/\{.+?\}/g, "1");
}

test("every operation that is served is in the document, and every documented operation is served", async () => {
  const served = await Promise.all(
    [...servedPaths].map(async ([path, open]) =>
      [...(await open()).byMethod.keys()].map((method) => `${method} ${path}`),
    ),
  );
  expect(served.flat().sort()).toEqual(operations.map(({ method, path }) => `${method} ${path}`).sort());
});

test("requests find the operations of their own path, and no two paths share theirs", () => {
  const found = new Map(paths.map((path) => [route(path)[0], path]));
  expect(found.size).toBe(paths.length);
  for (const path of paths) expect(found.get(route(concrete(path))[0]), path).toBe(path);
});

test("requests whose parameters are ids find them by their names", () => {
  for (const path of paths) {
    const params: Record<string, string> = {};
    const asked = path.replaceAll(/\{(.+?)\}/g, (_, name) => (params[name] = newId()));
    const [find, found] = route(asked);
    expect([find, found], path).toEqual([route(path)[0], params]);
  }
});

/** Paths that a browser visits, which the document does not describe (test/stores/shopify/install.test.ts, test/edges/portal). */
test("pages share an app, operators' paths another, and unknown paths lead to neither", () => {
  const leads = (paths: string[]) => [...new Set(paths.map((path) => route(path)[0]))];
  const others = [
    leads(["/", "/portal", "/portal/a-shop/enter"]),
    leads(["/internal/statements", "/internal/nope"]),
    leads(["/nope", "/api/nope", "/api/subscriptions/1/nope", "/shopify/nope", "//api", "/%00"]),
  ];
  expect(others.map((each) => each.length)).toEqual([1, 1, 1]);
  expect(new Set([...others.flat(), ...paths.map((path) => route(path)[0])]).size).toBe(3 + paths.length);
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
    const preflighted = openPaths.includes(path) ? ["OPTIONS"] : [];
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
