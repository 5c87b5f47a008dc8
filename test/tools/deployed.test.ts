/** The deployed script reads the document's texts and provinces from assets, and its stacks name the lines of the sources. */
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildScript, type Script } from "../../bench/build.ts";
import { importsOf, kilobytesAtStart } from "../../bench/bundle.ts";
import { type Served, serve } from "../../bench/serve.ts";
import { countDaysFrom, documentDay } from "../../bundle/document-days.ts";
import { withoutTexts } from "../../scripts/deployed/without-texts.ts";
import { demoApiKey, demoId } from "../../src/base/demo.ts";
import { newId } from "../../src/base/lib/ids.ts";
import { readProvinceNames } from "../../src/base/lib/places/province-names.ts";
import { readGuidance } from "../../src/edges/mcp/guidance.ts";
import { shareParts } from "../../src/kit/http/document/share-parts.ts";
import { apiDocument } from "../../src/runtime/operations.ts";
import { childEnv } from "../support/child-env.ts";
import { circlesIn } from "../support/circles.ts";

const [guidance, provinceNames] = [await readGuidance(), await readProvinceNames()];
const sources = globSync("src/**/*.ts").filter((path) => !path.endsWith(".test.ts"));

test("each line of a source stays where it is, and no text is left", () => {
  for (const path of sources) {
    const [text, deployed] = [readFileSync(path, "utf8"), withoutTexts(readFileSync(path, "utf8"))];
    expect(deployed.split("\n").length, path).toBe(text.split("\n").length);
    expect(deployed, path).not.toMatch(/\.openapi\(/);
  }
});

test.each([
  ['z.string().openapi({ example: ")" }).optional()', "z.string().optional()"],
  ["z.string()\n  .openapi({\n    a: 1,\n  })\n  .max(2)", "z.string()\n\n\n\n  .max(2)"],
  ['const A = named("A", z.object({ a: b.openapi({}) }), { a: "x, y" });', "const A = (z.object({ a: b }));"],
  ["named(`\u0024{a ? `)` : '('}`, s, { p: /[)(`]/ })", "(s)"],
  ["named<A>(name, s, {\n}) as B", "(s\n) as B"],
  [
    'operation({ summary: "A", id, success: { status: 200, description: "B" } })',
    "operation({ id, success: { status: 200, } })",
  ],
  [
    "function named(name: string) { return a / b / c; }",
    "function named(name: string) { return a / b / c; }",
  ],
  ["renamed(a, b)", "renamed(a, b)"],
  ['import { z } from "@hono/zod-openapi";', 'import * as z from "zod";'],
  ['import "@hono/zod-openapi";', ""],
  [
    'import { createRoute, z } from "@hono/zod-openapi";',
    'import { createRoute, z } from "@hono/zod-openapi";',
  ],
])("%j is %j", (source, deployed) => {
  expect(withoutTexts(source).replaceAll(/ +/g, " ")).toBe(deployed.replaceAll(/ +/g, " "));
});

test("the examples' days are counted from today", async () => {
  const [made, today] = [new Date(documentDay), new Date("2026-11-30T15:00:00Z")];
  const text = `{"a":"${new Date(made.getTime() + 30 * 86_400_000).toISOString()}","b":"2222-01-01"}`;
  expect(countDaysFrom(today, text)).toBe('{"a":"2026-12-30T00:00:00.000Z","b":"2222-01-01"}');
});

let script: Script;
let served: Served;
beforeAll(async () => {
  script = buildScript();
  served = await serve({ script, objects: true, subscriptions: 61 });
}, 400_000);
afterAll(() => served?.stop());

test("the deployed script answers the document as the sources make it", async () => {
  const answer = await fetch(`${served.address}/api.json`);
  expect(answer.status).toBe(200);
  const document = JSON.parse(JSON.stringify(shareParts(await apiDocument(new Date()))));
  expect(await answer.json()).toEqual(document);
});

test("the deployed script knows the provinces, which are an asset", async () => {
  const path = `/api/subscriptions/${demoId("subscription", 1)}/delivery-address?dry_run=true`;
  const answer = await fetch(served.address + path, {
    method: "PUT",
    headers: { "X-API-Key": demoApiKey, "Content-Type": "application/json" },
    body: JSON.stringify({
      ...{ address1: "1 High Street", city: "Albany", zip: "12207", country_code: "US", province: "NY" },
    }),
  });
  const delivery_address = { province: "New York", province_code: "NY" };
  expect(await answer.json()).toMatchObject({ data: { delivery_address } });
});

test("the assets say what the sources that they stand in for do", () => {
  const asset = (name: string) => JSON.parse(readFileSync(`build/public/assets/${name}.json`, "utf8"));
  expect([asset("guidance"), asset("provinces")]).toEqual([guidance, provinceNames]);
});

test("a start loads a fifth of the script, whose modules import each other in no circle", () => {
  const all = Object.values(script).join("").length / 1024;
  expect(kilobytesAtStart(script)).toBeLessThan(all / 5);
  expect(Object.keys(script).length).toBeGreaterThan(100);
  const imports = Object.entries(script).flatMap(([from, text]) =>
    importsOf(text).map((to) => ({ from, to })),
  );
  expect(circlesIn(imports)).toEqual([]);
});

test("a stack of the log is told in the files and lines of the sources", () => {
  const said = "The local server answers to its own name only";
  const [module, text] = Object.entries(script).find(([, its]) => its.includes(said)) ?? ["", ""];
  const before = text.split(said)[0]?.split("\n") ?? [];
  const position = `${module}:${before.length}:${(before.at(-1) ?? "").length + 1}`;
  const logged = JSON.stringify({ event: "error", stack: `Error: no\n    at Wt (file:///${position})` });
  const { stdout } = spawnSync(process.execPath, ["scripts/stack.ts"], {
    input: logged,
    encoding: "utf8",
    env: childEnv,
  });
  expect(stdout).toMatch(/Error: no\n {4}at Wt \(src\/kit\/http\/local-host\.ts:\d+:\d+\)/);
});

test("each operation of the deployed script answers, as do its pages, and none with a fault", async () => {
  const { paths } = (await apiDocument(new Date())) as unknown as {
    paths: Record<string, Record<string, object>>;
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(
      (method) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, newId())] as const,
    ),
  );
  const pages = [
    "/console",
    "/portal",
    "/llms.txt",
    "/api",
    "/.well-known/jwks.json",
    "/metrics",
    "/nowhere",
  ];
  const asked = [...operations, ...pages.map((path) => ["GET", path] as const)];
  expect(asked.length).toBeGreaterThan(200);
  const faults: string[] = [];
  for (const [method, path] of asked) {
    const { status } = await fetch(served.address + path, {
      method,
      headers: { "X-API-Key": demoApiKey, "Content-Type": "application/json" },
      redirect: "manual",
      ...(method === "GET" || method === "HEAD" ? {} : { body: "{}" }),
    });
    if (status >= 500) faults.push(`${method} ${path}: ${status}`);
  }
  // The queues of the bench say nothing of themselves.
  expect(faults).toEqual(["GET /health: 503"]);
}, 120_000);
