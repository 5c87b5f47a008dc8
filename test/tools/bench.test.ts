/** The benchmark measures what it says, beside a bare Worker that answers the same. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import type { Plan } from "../../bench/bare/plan.ts";
import withText from "../../bench/bare/text.ts";
import { textOf } from "../../bench/bare/texts.ts";
import bare from "../../bench/bare/worker.ts";
import { partsOf } from "../../bench/bundle.ts";
import { casesFor, subscriptionsForWrites } from "../../bench/cases.ts";
import { charactersExecuted } from "../../bench/executed/characters.ts";
import { measure, median, ratioOf } from "../../bench/measure.ts";
import { cpuMs, instructionsIn, totalIn } from "../../bench/meters.ts";
import { markdown } from "../../bench/report.ts";

describe("what is measured", () => {
  test("a count of instructions is read, and a processor that has none is told from it", () => {
    expect(instructionsIn("1234567,,instructions:u,2000,100.00,,\n")).toBe(1_234_567);
    expect(instructionsIn("<not supported>,,instructions:u,0,100.00,,\n")).toBeUndefined();
    expect(instructionsIn("perf: command not found")).toBeUndefined();
    expect(totalIn("summary: 12\n0 4\n\ntotals: 172651909\n")).toBe(172_651_909);
    expect(totalIn("")).toBeUndefined();
  });

  test("a character counts as often as its innermost block was executed", () => {
    const whole = { startOffset: 0, endOffset: 100, count: 1 };
    const called = { startOffset: 10, endOffset: 50, count: 2 };
    const [loop, never] = [
      { startOffset: 20, endOffset: 30, count: 7 },
      { startOffset: 30, endOffset: 40, count: 0 },
    ];
    expect(charactersExecuted([{ ranges: [called, loop, never] }, { ranges: [whole] }])).toBe(60 + 40 + 70);
  });

  test.runIf(process.platform === "linux")("the CPU time of a process grows with its work", () => {
    const before = cpuMs(process.pid);
    for (const end = performance.now() + 30; performance.now() < end; );
    expect(cpuMs(process.pid)).toBeGreaterThan(before);
    expect(cpuMs(2 ** 30)).toBeNaN();
  });

  test("a ratio is that of each round", () => {
    const costs = { ours: [2, 9, 4], bare: [1, 3, 4] };
    expect(ratioOf(costs, "ours", "bare")).toEqual({ median: 2, least: 1, most: 3 });
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });

  test("every server gets the same requests, and who begins a round changes", async () => {
    const turns: number[] = [];
    const meter = {
      unit: "turns",
      repeats: true,
      command: (program: string) => [program],
      measure: async (pid: number) => {
        turns.push(pid);
        return 10 * pid;
      },
    };
    const servers = [
      { name: "one", address: "", pid: 1 },
      { name: "two", address: "", pid: 2 },
    ];
    const load = { rounds: 3, warmUp: 0, requests: 10, atOnce: 1 };
    const costs = await measure(servers, () => ({ method: "GET", path: "/", headers: {} }), load, meter);
    expect([costs, turns]).toEqual([{ one: [1, 1, 1], two: [2, 2, 2] }, [1, 2, 2, 1, 1, 2]]);
  });

  test("no two writes are about one subscription, and the database has all of them", () => {
    const caller = { key: {}, both: {} };
    const its = casesFor(600).filter(({ name }) => /ship-now|skip$/.test(name));
    const paths = its.flatMap(({ request }) =>
      Array.from({ length: 600 }, (_, nth) => request(nth, caller).path),
    );
    const ids = paths.map((path) => path.split("/")[3] ?? "");
    expect([its.length, new Set(ids).size]).toEqual([3, 1800]);
    const highest = Math.max(...ids.map((id) => Number.parseInt(id.slice(-12), 16)));
    expect(highest).toBeLessThanOrEqual(subscriptionsForWrites);
  });
});

describe("the bare Worker", () => {
  const ran: unknown[] = [];
  const row = { id: "1", is_active: 1, lines: '[{"price":2}]' };
  const statement = (sql: string) => ({
    bind: (...params: unknown[]) => ({
      run: async () => {
        ran.push([sql, params]);
        return { results: [row] };
      },
    }),
  });
  const DB = { prepare: statement } as unknown as D1Database;
  const ask = async (plan: Plan): Promise<string> => {
    const request = new Request("http://bare.test", {
      method: "POST",
      headers: { "X-Case": "c" },
      body: "{}",
    });
    const bindings = { DB, PLANS: JSON.stringify({ c: plan }) };
    return (await bare.fetch(request, bindings)).text();
  };

  test("makes records of the rows of the recorded statements, and answers as recorded", async () => {
    const statements = [{ sql: "SELECT", params: [1], swapped: [] }];
    const text = await ask({ kind: "read", statements, answer: { data: [] }, isCached: false });
    expect(text).toBe('{"data":[]}');
    expect(row).toEqual({ id: "1", is_active: true, lines: [{ price: 2 }] });
    expect(ran).toEqual([["SELECT", [1]]]);
  });
});

test("the bare Worker with text answers what was recorded, made by the database", async () => {
  const folder = mkdtempSync(`${tmpdir()}/texts-`);
  const database = new DatabaseSync(`${folder}/one.sqlite`);
  database.exec(`CREATE TABLE records (id TEXT, is_active INTEGER, price INTEGER, lines TEXT, note TEXT);
    INSERT INTO records VALUES ('a', 1, 1995, '[{"price":2}]', NULL), ('b', 0, 100, '[]', 'it''s "here"')`);
  const data = [
    { id: "a", is_active: true, price: 19.95, lines: [{ price: 2 }], note: null, embedded: { id: "p" } },
    { id: "b", is_active: false, price: 1, lines: [], note: 'it\'s "here"', embedded: { id: "p" } },
  ];
  const sql = "SELECT * FROM records WHERE price > ? ORDER BY id LIMIT 3";
  const statements = [{ sql, params: [0], swapped: [] }];
  const read = { kind: "read" as const, statements, isCached: false };
  const plans = {
    list: { ...read, answer: { data, meta: { total: 2 } } },
    get: { ...read, answer: { data: data[0] } },
  };
  const DB = {
    prepare: (sql: string) => ({ bind: (...params: number[]) => ({ sql, params }) }),
    batch: async (bound: { sql: string; params: number[] }[]) =>
      bound.map(({ sql, params }) => ({ results: database.prepare(sql).all(...params) })),
  } as unknown as D1Database;
  const texts = Object.entries(plans).map(([name, plan]) => [name, textOf(plan, `${folder}/one.sqlite`)]);
  const TEXTS = JSON.stringify(Object.fromEntries(texts));
  for (const [name, plan] of Object.entries(plans)) {
    const request = new Request("http://bare.test", { headers: { "X-Case": name } });
    expect(await (await withText.fetch(request, { DB, TEXTS })).json()).toEqual(plan.answer);
  }
  database.close();
  rmSync(folder, { recursive: true });
});

test("the parts of a script are its packages and our folders; the small ones are one", () => {
  const modules = {
    "node_modules/@hono/zod-openapi/dist/index.js": 5000,
    "node_modules/a/node_modules/zod/index.js": 9000,
    "src/domain/billing/due/due.ts": 6000,
    "src/domain/billing/actions/charge.ts": 6000,
    "src/runtime/app.ts": 100,
  };
  expect(partsOf(modules, 4).map(({ name, kilobytes }) => [name, Math.round(kilobytes * 1024)])).toEqual([
    ["src/domain/billing", 12_000],
    ["zod", 9000],
    ["@hono/zod-openapi", 5000],
    ["everything below 4 KiB", 100],
  ]);
});

test("results that are not measured any more stay when the others are written anew", () => {
  const once = "## Beside others\n\nLong ago.\n";
  const written = markdown(
    [{ title: "Requests", text: "CPU.", rows: [] }],
    "Today.",
    `# Results\n\n## Old\n\n${once}`,
  );
  expect(written).not.toContain("## Old");
  expect(written).toMatch(/^# Results of `npm run bench`\n\nToday\.\n\n## Requests\n/);
  expect(written.endsWith(`\n\n${once}`)).toBe(true);
  expect(readFileSync("bench/RESULTS.md", "utf8")).toContain("## Beside others");
});

test("results are tables in Markdown", () => {
  const rows = [{ request: "get", ours: "1.10" }];
  expect(markdown([{ title: "Requests", text: "CPU.", rows }], "Today.")).toBe(
    "# Results of `npm run bench`\n\nToday.\n\n## Requests\n\nCPU.\n\n| request | ours |\n| ------- | ---- |\n| get     | 1.10 |\n",
  );
});
