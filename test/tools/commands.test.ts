/** Every npm command says with --help how it is called, and names a wrong argument. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { textOf } from "../../scripts/account/print.ts";
import { progressOf } from "../../scripts/progress.ts";
import { lineOf } from "../../scripts/start/output.ts";
import { childEnv } from "../support/child-env.ts";

/** Each call is a process of its own, some of which start another. */
vi.setConfig({ testTimeout: 120_000 });

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
/** The commands that only we call while we change the code; their faults hurt nobody who runs the service. */
const ownTools = new Set([
  ...[
    "verify",
    "lint",
    "format",
    "lint:commits",
    "lint:openapi",
    "lint:lock",
    "client",
    "types",
    "typecheck",
  ],
  ...["bench", "bench:peak", "soak", "simulate", "mutation", "conformance", "mcp:questions"],
  ...["shopify-schema", "shopify-check", "stripe-check", "stripe-contract", "stripe-fake", "wrangler"],
]);
const commands = Object.keys(scripts).filter((name) => !ownTools.has(name));

type Ran = { code: number; output: string };

function run(program: string, args: string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const env = { ...childEnv, NO_COLOR: "1", PATH: `node_modules/.bin:${process.env.PATH}` };
    execFile(program, args, { env }, (failure, stdout, stderr) =>
      resolve({ code: Number(failure?.code ?? 0), output: stdout + stderr }),
    );
  });
}

/** Runs a command's script as npm does, but without npm, which takes several times as long as most of them. */
function npmRun(name: string, ...args: string[]): Promise<Ran> {
  return run("sh", ["-c", `${scripts[name]} "$@"`, "sh", ...args]);
}

const stackLine = /^\s+at .+:\d+:\d+\)?$/m;

test("npm hands on what stands after --", async () => {
  const { code, output } = await run("npm", ["run", "--silent", "portal-link", "--", "--nonsense"]);
  expect([code, output]).toEqual([2, expect.stringContaining("--nonsense")]);
});

test.each(commands)(
  "npm run %s says with --help how it is called, and names a wrong option",
  async (name) => {
    const [help, wrong] = await Promise.all([npmRun(name, "--help"), npmRun(name, "--nonsense")]);
    expect([help.code, help.output]).toEqual([0, expect.stringMatching(/usage|options|flags/i)]);
    expect(wrong.code, wrong.output).not.toBe(0);
    expect(wrong.output).toMatch(/nonsense/i);
    expect(wrong.output).not.toMatch(stackLine);
    expect(wrong.output.length, "nothing but the fault and the help").toBeLessThan(8_000);
  },
);

test.each([
  ["seed", ["--profiles", "many"], "--profiles must be a whole number"],
  ["start", ["--port", "0"], "--port must be a whole number from 1 to 65535"],
  ["listen", ["--port", "x"], "--port must be a whole number"],
  ["signing-key", ["--add", "--prune"], "do not go together"],
  ["deploy", ["--env", "moon"], "--env must be staging or production"],
  ["seed", ["store"], "store"],
])("npm run %s %j is a fault that says what is wrong", async (name, args, fault) => {
  const { code, output } = await npmRun(name, ...args);
  expect([code, output]).toEqual([2, expect.stringContaining(fault)]);
  expect(output).not.toMatch(stackLine);
});

test("a list of the account command is a table on a terminal and JSON lines elsewhere", () => {
  const rows = [
    { account_id: "1", shop: "a.myshopify.com", clock_at: null },
    { account_id: "22", shop: "bcd.myshopify.com", clock_at: "2026-11-20T12:00:00.000Z" },
  ];
  expect(textOf(rows, false)).toBe(rows.map((row) => JSON.stringify(row)).join("\n"));
  expect(textOf(rows, true).split("\n")).toEqual([
    "account_id  shop               clock_at",
    "1           a.myshopify.com    -",
    "22          bcd.myshopify.com  2026-11-20T12:00:00.000Z",
  ]);
  expect([textOf([], true), textOf([], false)]).toEqual(["None", ""]);
});

describe("progress", () => {
  const shownBy = (isTTY: boolean): string => {
    let text = "";
    const write = (piece: string): boolean => {
      text += piece;
      return true;
    };
    const out = { isTTY, write };
    const progress = progressOf("Seeding", 200, out);
    for (let nth = 0; nth < 200; nth++) progress.advance();
    progress.end();
    return text;
  };

  test("is ten lines where there is no terminal", () => {
    const lines = shownBy(false).trimEnd().split("\n");
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([10, "Seeding: 20 of 200", "Seeding: 200 of 200"]);
  });

  test("is a bar on a terminal, and is taken away at the end", () => {
    const text = shownBy(true);
    expect(text).toContain("\rSeeding  ███");
    expect(text).not.toContain("\n");
    expect(text.endsWith(" \r")).toBe(true);
  });
});

describe("the lines of npm start", () => {
  const now = () => new Date("2026-11-20T12:00:00.000Z");
  const request = {
    event: "request",
    request_id: "r1",
    method: "GET",
    route: "/api/profiles/{id}",
    status: 404,
    ms: 7,
    errorCode: "NOT_FOUND",
  };
  const shown = (isTerminal: boolean, ...lines: string[]): (string | undefined)[] => {
    const show = lineOf({ isTerminal, now });
    return lines.map(show).filter((line) => line !== undefined);
  };

  test("a request is readable on a terminal, with its time, and JSON elsewhere", () => {
    const [line] = shown(true, JSON.stringify(request));
    expect(line).toMatch(/^\d\d:\d\d:\d\d {2}.*404.*GET.*\/api\/profiles\/\{id\}.*7 ms.*NOT_FOUND.*r1/);
    expect(shown(false, JSON.stringify(request)).map((one) => JSON.parse(one!))).toEqual([
      { time: "2026-11-20T12:00:00.000Z", ...request },
    ]);
  });

  test("what wrangler says that is not so here, or is said already, is left out; faults are not", () => {
    const said = [
      "Using secrets defined in .dev.vars",
      "Your Worker has access to the following bindings:",
      "env.DB (perennial)   D1 Database  local",
      "",
      "❓ Your types might be out of date. Re-run `wrangler types` to ensure your types are correct.",
      "\u001b[33m▲ [WARNING] Scheduled Workers are not automatically triggered during local development.\u001b[0m",
      "",
      '    curl "http://127.0.0.1:8787/cdn-cgi/local/scheduled"',
      "  For more details, see https://developers.cloudflare.com/",
      "⎔ Starting local server...",
      "[wrangler:info] GET /health 200 OK (5ms)",
      JSON.stringify({ ...request, route: "/health", status: 200 }),
    ];
    expect(shown(true, ...said)).toEqual([]);
    expect(shown(true, ...said, "✘ [ERROR] Build failed with 1 error:")).toEqual([
      expect.stringContaining("Build failed"),
    ]);
  });
});
