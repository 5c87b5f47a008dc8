import { describe, expect, test } from "vitest";
import { sources, tools } from "./sources.ts";

/**
 * Imports run one way, from a layer to those before it, never sideways. The store's port stands before
 * the context, which holds it. Tables are the ground floor: they are one schema, joined from wherever it is read.
 */
const layers: string[][] = [
  ["lib"],
  ["errors", "env", "demo", "job", "event-types", "network"],
  ["amounts"],
  ["db"],
  ["accounts"],
  ["store"],
  ["context"],
  ["http", "journal"],
  ["profiles"],
  ["entities", "delivery", "selling-plans", "payment-methods", "reasons", "sessions"],
  ["orders"],
  ["subscriptions"],
  ["contracts"],
  ["dunning"],
  ["billing"],
  ["store-sync", "privacy"],
  ["events"],
  [
    "activity-logs",
    "settings",
    "auth",
    "portal",
    "health",
    "mcp",
    "docs",
    "webhooks",
    "webhook-endpoints",
    "installation",
  ],
  ["operator"],
  ["operations", "jobs"],
  ["areas"],
  ["app"],
  ["engine"],
  ["worker"],
];
const rankOf = new Map(layers.flatMap((names, rank) => names.map((name) => [name, rank] as const)));

/** The capability a file belongs to: its folder, or a top-level file's own name. */
function partOf(path: string): string {
  return path.split("/")[1]!.replace(/\.ts$/, "");
}
const inside = sources.flatMap(({ imports }) => imports).filter(({ to }) => to.startsWith("src/"));

test("the reader of imports finds them", () => {
  expect(inside.length).toBeGreaterThan(100);
  expect(inside).toContainEqual({ from: "src/worker.ts", to: "src/app.ts", typeOnly: false });
  expect(inside).toContainEqual({ from: "src/http/hono-env.ts", to: "src/env.ts", typeOnly: true });
});

test("every file has its place in the order of layers", () => {
  const strangers = [...new Set(sources.map(({ path }) => partOf(path)))].filter((part) => !rankOf.has(part));
  expect(strangers).toEqual([]);
});

describe("imports run one way", () => {
  test.each([...rankOf.keys()])("%s imports only what stands before it", (part) => {
    const upward = inside
      .filter(({ from, to }) => partOf(from) === part && partOf(to) !== part && !to.endsWith("/tables.ts"))
      .filter(({ to }) => (rankOf.get(partOf(to)) ?? Number.POSITIVE_INFINITY) >= rankOf.get(part)!)
      .map(({ from, to }) => `${from} → ${to}`);
    expect(upward).toEqual([]);
  });
});

test("rules know neither HTTP nor the database", () => {
  const rules = inside.filter(({ from }) =>
    /\/(rules|lifecycle|cadence|amounts|policy|schedule|lines)\.ts$/.test(from),
  );
  expect(rules.length).toBeGreaterThan(20);
  const outward = rules.filter(({ to, typeOnly }) => /^src\/(http|db|journal)\//.test(to) && !typeOnly);
  expect(outward.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
});

const fromTools = tools.flatMap(({ imports }) => imports);

/** The only files that choose a platform, or connect one: the rest sees src/store/port.ts and src/store/webhooks.ts. */
const compositionPoints = [
  "src/store/ids.ts",
  "src/store/open.ts",
  "src/store/platforms.ts",
  "scripts/account/shopify.ts",
  "scripts/shopify-check.ts",
  "scripts/shopify-check/checks.ts",
  "scripts/shopify-schema.ts",
];

test("Shopify stays behind its adapter: only the composition points import it", () => {
  const importers = [...inside, ...fromTools]
    .filter(({ to }) => to.startsWith("src/store/shopify/") && !to.endsWith("/tables.ts"))
    .filter(({ from }) => !/^(src\/store|simulator)\/shopify\//.test(from))
    .map(({ from }) => from);
  expect([...new Set(importers)].sort()).toEqual(compositionPoints.toSorted());
});

test("Shopify is named outside of its adapter only as a platform, in its public route, and where it is composed", () => {
  const tables = /shopify_?(connections|contracts)|store\/shopify\/tables|myshopify/gi;
  const named = sources
    .filter(({ path }) => !path.startsWith("src/store/shopify/"))
    .filter(({ text }) => /shopify/i.test(withoutComments(text).replaceAll(tables, "")))
    .map(({ path }) => path);
  expect(named).toEqual([
    "src/accounts/tables.ts",
    "src/app.ts",
    "src/installation/routes.ts",
    "src/settings/schemas.ts",
    "src/store/ids.ts",
    "src/store/open.ts",
    "src/store/platforms.ts",
    "src/webhooks/routes.ts",
  ]);
});

test("the Worker imports nothing of the tools and tests", () => {
  const outward = sources
    .flatMap(({ imports }) => imports)
    .filter(({ to }) => /^(simulator|scripts|test|bench)\//.test(to));
  expect(outward).toEqual([]);
});

test("the simulator has of the tests the fake Shopify alone, scripts have none, and none is imported by the other way", () => {
  expect(fromTools.length).toBeGreaterThan(100);
  const wrong = fromTools.filter(
    ({ from, to }) =>
      (to.startsWith("test/") &&
        !(from.startsWith("simulator/") && to.startsWith("test/support/fake-shopify"))) ||
      (from.startsWith("simulator/") && to.startsWith("scripts/")),
  );
  expect(wrong).toEqual([]);
});

test("imports make no cycle", () => {
  const graph = Map.groupBy(
    [...inside, ...fromTools].filter(({ typeOnly }) => !typeOnly),
    ({ from }) => from,
  );
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: string[]): void => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(" → "));
    if (done.has(path) || trail.includes(path)) return;
    for (const { to } of graph.get(path) ?? []) visit(to, [...trail, path]);
    done.add(path);
  };
  for (const { path } of [...sources, ...tools]) visit(path, []);
  expect(cycles).toEqual([]);
});

/** Which files hold a pattern; comments do not count. */
function filesWith(pattern: RegExp): string[] {
  return sources.filter(({ text }) => pattern.test(withoutComments(text))).map(({ path }) => path);
}

test("there are no interactive transactions", () => {
  expect(filesWith(/\.transaction\(|\bBEGIN\b(?! \$\{refusal\} END)|\bSAVEPOINT\b/)).toEqual([]);
});

test("batch is called by commit and read alone", () => {
  for (const path of filesWith(/\.batch[(<]/)) expect(path).toMatch(/^src\/db\//);
});

test("the clock is read where a request, message or tick begins, and where an answer is timed, nowhere else", () => {
  const readers = filesWith(/Date\.now\(\)|new Date\(\)|Temporal\.Now|performance\.now/);
  expect(readers).toContain("src/http/observe.ts");
  for (const path of readers)
    expect([
      "src/engine/account-object.ts",
      "src/http/observe.ts",
      "src/jobs/consume.ts",
      "src/network.ts",
      "src/worker.ts",
    ]).toContain(path);
});

test("ids are made by lib/ids, chance is taken for keys and nonces alone", () => {
  expect(filesWith(/randomUUID|from "uuid"/)).toEqual(["src/lib/ids.ts"]);
  expect(filesWith(/Math\.random|getRandomValues/)).toEqual(["src/accounts/api-key.ts", "src/lib/sealed.ts"]);
});

test("drivers are known to db/ alone", () => {
  expect(filesWith(/@libsql\/|D1Database|drizzle-orm\/(d1|libsql)/)).toEqual([
    "src/db/client.ts",
    "src/db/replicas.ts",
    "src/env.ts",
  ]);
});

test("the address that credentials are sent to is made in one place", () => {
  const makers = sources.filter(({ text }) => text.includes("https://${"));
  expect(makers.map(({ path }) => path)).toEqual(["src/store/shopify/domain.ts"]);
});

test("the log is written through context.log alone", () => {
  expect(filesWith(/console\.\w+\(/)).toEqual(["src/context.ts"]);
});

test("exports have names; the Worker's entry is the one default", () => {
  expect(filesWith(/^export default/m)).toEqual(["src/worker.ts"]);
});

test("files are named in kebab-case for what they hold", () => {
  for (const { path } of sources) {
    expect(path).toMatch(/^src\/([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.ts$/);
    expect(path).not.toMatch(/\/(schema|services?|utils?|helpers?|types|managers?)\.ts$/);
  }
});

test("what stands at the top of a file and is called is a function declaration, so that a file reads from its verb on", () => {
  const arrow = /^(?:export )?const \w+ = (?:async )?(?:<[^=]*>)?\((?!\s*\[)[^=]*\)(?:: [^=]+)? =>/gm;
  expect(
    [...sources, ...tools].flatMap(({ path, text }) =>
      (text.match(arrow) ?? []).map((each) => `${path}: ${each}`),
    ),
  ).toEqual([]);
});

test("functions, no classes but errors, and the object that the platform makes", () => {
  const classes = sources.flatMap(({ text }) =>
    [...text.matchAll(/\bclass (\w+)/g)].map(([, name]) => name!),
  );
  expect(classes.length).toBeGreaterThan(0);
  for (const name of classes) expect(name).toMatch(/Error$|^AccountObject$/);
});

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
}
