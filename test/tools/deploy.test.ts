/** A deployment is refused where its settings are wrong, says what it will do to the database, and is proven healthy after. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { createClient } from "@libsql/client";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { deploy } from "../../scripts/deploy/deploy.ts";
import { findHealthFault } from "../../scripts/deploy/health.ts";
import { readPending } from "../../scripts/deploy/pending.ts";
import { refusalOf } from "../../scripts/deploy/refusal.ts";
import { migrationNames } from "../../scripts/migrations.ts";
import { libsqlFile } from "../support/libsql-file.ts";

const toml = readFileSync("wrangler.toml", "utf8");
const zero = "00000000-0000-0000-0000-000000000000";
const publicUrl = "https://subscriptions.example.com";

function withUrl(text: string, url: string) {
  return text.replaceAll(/^PUBLIC_URL = ""$/gm, `PUBLIC_URL = "${url}"`);
}
const withoutUrls = toml.replaceAll(zero, "8f6d2f1e-2f0a-4a50-9a55-0d3b7b0f1c11");
const withDatabases = withUrl(withoutUrls, publicUrl);

function withLibsql(url: string) {
  return withDatabases.replace("[env.production.vars]\n", `[env.production.vars]\nLIBSQL_URL = "${url}"\n`);
}

function listing(...names: string[]) {
  const stdout = JSON.stringify(names.map((name) => ({ name, type: "secret_text" })));
  return vi.fn(() => ({ ok: true, stdout, stderr: "" }));
}
const all = listing("JWT_PRIVATE_JWK", "STORE_CREDENTIALS_KEY");

describe("npm run deploy refuses", () => {
  test.each([undefined, "local", "production ", "constructor"])("the environment %j", (env) => {
    expect(refusalOf({ env, toml: withDatabases, listSecrets: all })).toContain("staging or production");
  });

  test("an environment without a database, before the network is asked", () => {
    const listSecrets = listing();
    expect(refusalOf({ env: "production", toml, listSecrets })).toContain("no database_id for production");
    expect(listSecrets).not.toHaveBeenCalled();
  });

  test.each([
    ["", "is not set"],
    ["http://127.0.0.1:8787", "must begin with https://"],
    ["https://subscriptions.example.com/", "must be an origin alone"],
  ])("an environment whose public address is %j", (url, reason) => {
    const refusal = refusalOf({ env: "staging", toml: withUrl(withoutUrls, url), listSecrets: all });
    expect(refusal).toContain(`PUBLIC_URL of staging in wrangler.toml ${reason}`);
  });

  test("an environment whose public address is another's", () => {
    const onlyStaging = withoutUrls.replace('PUBLIC_URL = ""', `PUBLIC_URL = "${publicUrl}"`);
    expect(refusalOf({ env: "staging", toml: onlyStaging, listSecrets: all })).toBeUndefined();
    expect(refusalOf({ env: "production", toml: onlyStaging, listSecrets: all })).toContain("is not set");
  });

  test("an environment whose credentials key is not set, or another's name", () => {
    for (const names of [[], ["JWT_PRIVATE_JWK"], ["OLD_STORE_CREDENTIALS_KEY"]])
      expect(refusalOf({ env: "staging", toml: withDatabases, listSecrets: listing(...names) })).toBe(
        "STORE_CREDENTIALS_KEY is not set for staging (docs/run/cloudflare.md)",
      );
  });

  test("when the secrets cannot be listed, with the reason", () => {
    const listSecrets = () => ({ ok: false, stdout: "", stderr: "You are not logged in.\n" });
    expect(refusalOf({ env: "staging", toml: withDatabases, listSecrets })).toBe(
      "The secrets of staging cannot be listed: You are not logged in.",
    );
  });
});

test("an environment with a database and the key may be deployed", () => {
  expect(refusalOf({ env: "production", toml: withDatabases, listSecrets: all })).toBeUndefined();
  expect(all).toHaveBeenCalledWith("production");
});

describe("what was deployed is asked for its health at its public address", () => {
  const healthAfter = (...statuses: (number | "unreachable")[]) => {
    const asked: string[] = [];
    const fetch = async (url: string | URL | Request) => {
      const status = statuses[asked.push(String(url)) - 1] ?? statuses.at(-1)!;
      if (status === "unreachable") throw new Error("ENOTFOUND");
      return new Response(null, { status });
    };
    const fault = findHealthFault({ url: publicUrl, fetch, tries: 3, pauseMs: 0 });
    return fault.then((found) => ({ fault: found, asked }));
  };

  test("one that serves in the end has no fault", async () => {
    expect(await healthAfter("unreachable", 500, 200)).toEqual({
      fault: undefined,
      asked: Array.from({ length: 3 }, () => `${publicUrl}/health`),
    });
  });

  test.each([
    [500, "answers 500"],
    [308, "answers 308"],
    ["unreachable" as const, "cannot be reached"],
  ])("one that only answers %s has, which a wrong secret is among", async (status, fault) => {
    expect((await healthAfter(status)).fault).toBe(`${publicUrl}/health ${fault}`);
  });
});

describe("npm run deploy", () => {
  /** A wrangler that answers by script, on a database whose migrations are these, and the calls that it was shown. */
  function scripted(applied: string[] | undefined) {
    const [said, shown]: [string[], string[]] = [[], []];
    const answers: Record<string, unknown> = {
      "SELECT name FROM sqlite_master WHERE type = 'table'": (applied
        ? ["d1_migrations", "accounts"]
        : []
      ).map((name) => ({ name })),
      "SELECT name FROM d1_migrations": applied?.map((name) => ({ name })),
    };
    const wrangler = (args: string[]) => {
      if (args[0] === "secret") return all();
      if (args[1] === "time-travel") return { ok: true, stdout: '{"bookmark": "0000-01"}', stderr: "" };
      const stdout = JSON.stringify([{ results: answers[args.at(-1)!] }]);
      return { ok: true, stdout, stderr: "" };
    };
    const show = async (args: string[]) => {
      shown.push(args.join(" "));
      return 0;
    };
    const tools = {
      ...{ wrangler, show, openLibsql: (url: string) => createClient({ url }), pauseMs: 0 },
      ...{ fetch: async () => new Response(), say: (line: string) => void said.push(line) },
    };
    return { tools, said, shown };
  }
  const production = { env: "production", toml: withDatabases, isDry: false };

  test("names the bookmark and what is pending, then migrates, deploys and asks", async () => {
    const { tools, said, shown } = scripted(undefined);
    expect(await deploy(production, tools)).toEqual({ code: 0 });
    expect(said).toEqual([
      "D1 is at the bookmark 0000-01 (docs/run/backup.md)",
      `Pending migrations: ${migrationNames().join(", ")}`,
      "Tables that they touch: none that is there",
    ]);
    expect(shown).toEqual(["d1 migrations apply DB --remote --env production", "deploy --env production"]);
  });

  test("migrates nothing where nothing is pending", async () => {
    const { tools, said, shown } = scripted(migrationNames());
    expect(await deploy(production, tools)).toEqual({ code: 0 });
    expect([said.at(-1), shown]).toEqual(["No migration is pending", ["deploy --env production"]]);
  });

  test("--dry-run says the same and changes nothing", async () => {
    const { tools, said, shown } = scripted(undefined);
    expect(await deploy({ ...production, isDry: true }, tools)).toEqual({ code: 0 });
    expect(said.at(-1)).toBe(
      `Would then run wrangler deploy --env production, and ask ${publicUrl}/health. Nothing was changed.`,
    );
    expect([said.length, shown]).toEqual([4, []]);
  });

  test("ends where a step fails, and deploys no Worker to a database that is not migrated", async () => {
    const { tools, shown } = scripted(undefined);
    const show = async (args: string[]) => shown.push(args.join(" "));
    expect(await deploy(production, { ...tools, show })).toEqual({ code: 1 });
    expect(shown).toEqual(["d1 migrations apply DB --remote --env production"]);
  });

  test("migrates libSQL where the environment's address is one", async () => {
    const folder = mkdtempSync(`${tmpdir()}/perennial-deploy-`);
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const url = `file:${folder}/test.db`;
    const { tools, said, shown } = scripted(undefined);
    const libsql = { ...production, toml: withLibsql(url) };
    expect(await deploy(libsql, tools)).toEqual({ code: 0 });
    expect(said).toContain("Applied 0001_schema.sql");
    expect(shown).toEqual(["deploy --env production"]);
    await deploy({ ...libsql, isDry: true }, tools);
    expect(said).toContain("No migration is pending");
  });

  test("counts the rows of the tables that a pending migration touches, and of no others", async () => {
    const { db } = await libsqlFile();
    const texts: Record<string, string> = {
      "0001_schema.sql": "",
      "0002_next.sql": `ALTER TABLE heartbeats ADD COLUMN later TEXT; CREATE TABLE further (id TEXT);
        CREATE INDEX further_by_id ON further (id); CREATE INDEX orders_by_nothing ON orders (id);`,
    };
    await db.batch([{ sql: "CREATE TABLE applied_migrations (name TEXT)", params: [] }], "write");
    await db.batch(
      [{ sql: "INSERT INTO applied_migrations VALUES ('0001_schema.sql')", params: [] }],
      "write",
    );
    expect(await readPending(db, { names: Object.keys(texts), textOf: (name) => texts[name]! })).toEqual({
      names: ["0002_next.sql"],
      rows: { heartbeats: 1, orders: 0 },
    });
  });

  test.each([
    [undefined, "0002_next.sql builds on the backfill shares: deploy the release that brought it first"],
    ["NULL", "0002_next.sql waits for the backfill shares, which cron does a thousand rows a minute"],
    ["'2026-11-30'", undefined],
  ])("waits for a backfill that a migration builds on: %s", async (done, fault) => {
    const { db } = await libsqlFile();
    const texts: Record<string, string> = {
      "0002_next.sql": "UPDATE backfills SET required_by = '0002_next.sql' WHERE name = 'shares';",
    };
    if (done !== undefined) {
      const [insert, update] = [
        "INSERT INTO backfills (name) VALUES ('shares')",
        `UPDATE backfills SET done_at = ${done}`,
      ];
      await db.batch(
        [insert, update].map((sql) => ({ sql, params: [] })),
        "write",
      );
    }
    const pending = await readPending(db, { names: Object.keys(texts), textOf: (name) => texts[name]! });
    expect(pending.fault).toEqual(fault && expect.stringContaining(fault));
  });
});
