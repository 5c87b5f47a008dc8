/** The account command moves, exports, imports and deletes an account with an object. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commit } from "../../src/base/db/commit.ts";
import { newestMigration } from "../../src/base/db/newest-migration.ts";
import { rowsIn, type SignedPage } from "../../src/edges/operator/account-page.ts";
import { type LibsqlWorker, startLibsqlWorker } from "../support/libsql-worker.ts";
import { account as accountHere, type Ran } from "./account-run.ts";

const shop = "object.myshopify.com";
const operatorKey = randomBytes(32).toString("base64");
const credentialsKey = randomBytes(32).toString("base64");

let deployment: LibsqlWorker;
let address: string;
let accountId: string;

beforeAll(async () => {
  deployment = await startLibsqlWorker({
    OPERATOR_KEY: operatorKey,
    STORE_CREDENTIALS_KEY: credentialsKey,
  });
  address = deployment.origin;
}, 60_000);
afterAll(() => deployment?.close());

function account(args: string[], { key = operatorKey } = {}): Promise<Ran> {
  return accountHere(args, {
    ...{ LIBSQL_URL: deployment.server.url, STORE_CREDENTIALS_KEY: credentialsKey },
    ...{ OPERATOR_URL: address, OPERATOR_KEY: key },
  });
}

test("an account with an object is made and listed with its engine", async () => {
  const { code, lines } = await account(["create", "--shop", shop, "--engine", "object"]);
  expect(code).toBe(0);
  accountId = String(lines[0]?.account_id);
  const { lines: listed } = await account(["list"]);
  expect(listed).toMatchObject([{ account_id: accountId, shop, engine: "object" }]);
});

test.each([
  [["attempt", "list", "--shop", shop], []],
  [["after-restore"], [{ accounts: 1 }]],
  [["after-restore", "--shop", shop], [{ accounts: 1 }]],
  [
    ["reconcile", "--shop", shop, "--since", "2026-11-01"],
    [{ since: "2026-11-01T00:00:00.000Z", pages: 1, recorded: 0, unresolved: 0 }],
  ],
  [
    ["reseal-credentials"],
    [
      { secrets: "stores", resealed: 0, unchanged: 0, not_opened: [] },
      { secrets: "webhook_endpoints", resealed: 0, unchanged: 0, not_opened: [] },
    ],
  ],
])("%j reaches the records of an account with an object", async (args, lines) => {
  expect(await account(args)).toEqual({ code: 0, lines, error: "" });
});

test("what the records refuse is refused in the same words", async () => {
  const answers = [
    await account([
      ...["attempt", "settle", "--shop", shop],
      ...["--attempt", "01990000-0000-7000-8000-000000000000", "--not-charged"],
    ]),
    await account(["sync-plans", "--shop", shop]),
  ];
  expect(answers.map(({ code, error }) => [code, error])).toEqual([
    [1, "Billing attempt not found"],
    [1, "The account is not connected to a Shopify store"],
  ]);
});

test("rename changes the object and the directory", async () => {
  const renamed = await account(["rename", "--shop", shop, "--to", "renamed.myshopify.com"]);
  expect(renamed).toMatchObject({ code: 0, lines: [{ account_id: accountId, previous_shop: shop }] });
  const { lines } = await account(["list"]);
  expect(lines).toMatchObject([{ shop: "renamed.myshopify.com" }]);
  const again = await account(["rename", "--account", accountId, "--to", "renamed.myshopify.com"]);
  expect(again).toMatchObject({
    code: 1,
    error: "The shop renamed.myshopify.com has an account already",
  });
});

test("with another key than the deployment's the command says so", async () => {
  const args = ["attempt", "list", "--account", accountId];
  expect(await account(args, { key: "wrong" })).toMatchObject({
    code: 1,
    error: `${address} has no operators, or another OPERATOR_KEY than this`,
  });
  expect(await account(args, { key: "" })).toMatchObject({
    code: 2,
    error:
      "an account with an object is reached through its deployment: OPERATOR_URL and OPERATOR_KEY must be set in the environment",
  });
});

const rowsOfPage = ({ page }: SignedPage) => rowsIn(page);

test("export writes every row into a new file, which its owner alone can read", async () => {
  const directory = mkdtempSync(join(tmpdir(), "perennial-export-"));
  const file = join(directory, "account.jsonl");
  const exported = await account(["export", "--account", accountId, "--to", file]);
  const lines = readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const rows = lines.slice(1, -1).flatMap(({ page }) => page.rows);
  expect(exported).toMatchObject({ code: 0, lines: [{ account_id: accountId, rows: rows.length }] });
  expect(lines[0]).toEqual({
    ...{ format: 1, version: expect.any(String), schema: newestMigration, account_id: accountId },
    ...{ shop: "renamed.myshopify.com", as_of_sequence: expect.any(Number) },
  });
  expect(rowsOfPage(lines[1])).toMatchObject([{ id: accountId, engine: "object" }]);
  expect(lines.at(-1)).toEqual({ pages: lines.length - 2, rows: rows.length });
  expect(lines.map(({ page }) => page?.table)).toContain("activity_logs");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const again = await account(["export", "--account", accountId, "--to", file]);
  expect(again).toMatchObject({ code: 1, error: expect.stringContaining("EEXIST") });
  rmSync(directory, { recursive: true });
});

test("export --all writes a file of every account, goes on where one cannot be written, and then fails", async () => {
  const directory = mkdtempSync(join(tmpdir(), "perennial-exports-"));
  const other = "beside.myshopify.com";
  await account(["create", "--shop", other]);
  writeFileSync(join(directory, `${other}.jsonl`), "kept");
  const { code, lines } = await account(["export", "--all", "--to", directory]);
  expect([code, lines]).toMatchObject([
    1,
    expect.arrayContaining([
      expect.objectContaining({ shop: "renamed.myshopify.com", rows: expect.any(Number) }),
      expect.objectContaining({ shop: other, error: expect.stringContaining("EEXIST") }),
    ]),
  ]);
  expect(readdirSync(directory).toSorted()).toEqual([`${other}.jsonl`, "renamed.myshopify.com.jsonl"]);
  expect(readFileSync(join(directory, `${other}.jsonl`), "utf8")).toBe("kept");
  rmSync(directory, { recursive: true });
  const { error } = await account(["export", "--all", "--shop", other, "--to", directory]);
  expect(error).toBe("--all goes without --shop and --account");
});

test.each([
  [["--at", "yesterday"], 2, "--at must be an instant, such as 2026-11-20T12:00:00Z"],
  [["--at", "2020-01-01T00:00:00Z"], 1, "Request is not valid: at: must be within the last 30 days"],
])("restore %j is refused", async (args, code, error) => {
  expect(await account(["restore", "--account", accountId, ...args])).toEqual({ code, lines: [], error });
});

describe("move", () => {
  test("to the engine that the account is at does nothing", async () => {
    const moved = await account(["move", "--account", accountId, "--to", "object"]);
    expect(moved).toMatchObject({ code: 0, lines: [{ account_id: accountId, engine: "object", rows: 0 }] });
  });

  test("a dry run says how many rows it copies, and for how long writes are refused", async () => {
    const { code, lines } = await account([
      "move",
      "--account",
      accountId,
      "--to",
      "d1",
      "--dry-run",
      "--force",
    ]);
    expect([code, lines]).toEqual([
      0,
      [
        {
          account_id: accountId,
          shop: "renamed.myshopify.com",
          engine: "d1",
          rows: expect.any(Number),
          seconds: 10,
        },
      ],
    ]);
  });

  test("back to where the account still is gives up a move that was begun", async () => {
    const step = () =>
      fetch(new URL("/internal/moves", address), {
        method: "POST",
        headers: { Authorization: `Bearer ${operatorKey}` },
        body: JSON.stringify({ account_id: accountId, to: "d1", force: true }),
      }).then((answer) => answer.json());
    expect(await step()).toMatchObject({ step: "draining", isDone: false });
    expect(await step()).toMatchObject({ step: "draining", isDone: false });
    const { code, lines } = await account(["move", "--account", accountId, "--to", "object"]);
    expect([code, lines]).toMatchObject([0, [{ account_id: accountId, engine: "object" }]]);
    expect((await account(["attempt", "list", "--account", accountId])).code).toBe(0);
  });

  test.each([
    [["--to", "mars"], "--to must be one of d1, object"],
    [[], "--to is required"],
  ])("%j is a wrong command", async (args, error) => {
    expect(await account(["move", "--account", accountId, ...args])).toEqual({ code: 2, lines: [], error });
  });
});

/** As if `delete` had been ended right after the account was closed, a minute ago. */
async function closed(id: string, name: string): Promise<void> {
  const answer = await fetch(new URL("/internal/deletions", address), {
    method: "POST",
    headers: { Authorization: `Bearer ${operatorKey}` },
    body: JSON.stringify({ account_id: id, shop: name }),
  });
  expect(await answer.json()).toMatchObject({ step: "closed" });
  const since = new Date(Date.now() - 60_000).toISOString();
  await commit({ db: deployment.server.db }, [
    {
      sql: "UPDATE accounts SET moving = ? WHERE id = ?",
      params: [JSON.stringify({ step: "deleting", since }), id],
    },
  ]);
}

describe("delete", () => {
  test.each([
    ["object", "old-object.myshopify.com"],
    ["d1", "old-d1.myshopify.com"],
  ])("of an account on %s goes on where it was, and says what it has deleted", async (engine, name) => {
    const { lines: created } = await account(["create", "--shop", name, "--engine", engine]);
    const id = String(created[0]?.account_id);
    if (engine === "object") await account(["attempt", "list", "--account", id]);
    await closed(id, name);
    expect(await account(["key", "create", "--shop", name])).toEqual({
      code: 1,
      lines: [],
      error: `The account of ${name} is being deleted`,
    });
    const { code, lines } = await account(["delete", "--shop", name, "--confirm", name]);
    expect([code, lines]).toEqual([
      0,
      [
        {
          account_id: id,
          shop: name,
          deleted: 4,
          rows: { accounts: 1, activity_logs: 1, api_keys: 1, reconciliations: 1 },
        },
      ],
    ]);
    expect((await account(["create", "--shop", name])).code).toBe(0);
  });

  test.each([[[]], [["--confirm", "another.myshopify.com"]]])(
    "%j is a wrong command: the shop's name confirms it",
    async (args) => {
      expect(await account(["delete", "--account", accountId, ...args])).toEqual({
        code: 2,
        lines: [],
        error:
          "every record of renamed.myshopify.com would be deleted for good: export it first, then confirm with --confirm renamed.myshopify.com",
      });
    },
  );
});

describe("import", () => {
  const directory = mkdtempSync(join(tmpdir(), "perennial-import-"));
  const file = join(directory, "account.jsonl");
  const name = "imported.myshopify.com";
  let id: string;
  let text: string;
  beforeAll(async () => {
    const { lines } = await account(["create", "--shop", name, "--engine", "d1"]);
    id = String(lines[0]?.account_id);
    await account(["export", "--account", id, "--to", file]);
    text = readFileSync(file, "utf8");
  });
  afterAll(() => rmSync(directory, { recursive: true }));
  const importing = (...args: string[]) => account(["import", "--file", file, ...args]);
  const linesIn = (path: string) => readFileSync(path, "utf8").trimEnd().split("\n");

  test("of an account that exists is refused", async () => {
    expect(await importing()).toEqual({
      code: 1,
      lines: [],
      error: `The account ${id} of ${name} exists: delete it first`,
    });
  });

  test.each([
    ["d1", "object"],
    ["object", "d1"],
  ])("brings back from %s to %s what export wrote", async (from, to) => {
    const exported = join(directory, `${from}-${to}`);
    await account(["export", "--account", id, "--to", exported]);
    await closed(id, name);
    expect((await account(["delete", "--account", id, "--confirm", name])).code).toBe(0);
    const { rows } = JSON.parse(linesIn(exported).at(-1)!);
    const imported = await account(["import", "--file", exported, "--engine", to]);
    expect([imported.code, imported.lines]).toEqual([0, [{ account_id: id, shop: name, engine: to, rows }]]);
    const again = `${exported}-again`;
    await account(["export", "--account", id, "--to", again]);
    const rowsOfFile = (path: string) =>
      linesIn(path)
        .slice(1, -1)
        .flatMap((line) => rowsOfPage(JSON.parse(line)));
    const [own, ...others] = rowsOfFile(exported);
    const [back, ...rest] = rowsOfFile(again);
    expect(rest).toEqual(others);
    expect({ ...back, moving: null }).toEqual({ ...own, engine: to });
  });

  test.each<[string, (text: string) => string, RegExp]>([
    [
      "of a later schema",
      (all) => all.replace(newestMigration, "9999_later.sql"),
      /^The file has the schema of 9999_later.sql, this deployment that of /,
    ],
    [
      "of a later form",
      (all) => all.replace('"format":1', '"format":2'),
      /was written by version .*: import it/,
    ],
    [
      "that somebody has changed",
      (all) => all.replaceAll(name, "other.example"),
      /mac: is of none of the keys/,
    ],
    ["that was cut off", (all) => all.slice(0, all.lastIndexOf("{")), /was cut off/],
    ["that was cut within a line", (all) => all.slice(0, -20), /is no file that export has written/],
    ["of something else", () => '{"name": "x"}\n', /is no file that export has written/],
  ])("of a file %s is refused", async (_, spoil, error) => {
    const spoilt = join(directory, "spoilt");
    writeFileSync(spoilt, spoil(text));
    const { code, lines, error: told } = await account(["import", "--file", spoilt]);
    expect([code, lines]).toEqual([1, []]);
    expect(told).toMatch(error);
  });

  test.each([
    [[], "--file is required"],
    [["--file", "x", "--engine", "mars"], "x cannot be read (ENOENT)"],
    [["--file", file, "--engine", "mars"], "--engine must be one of d1, object"],
    [["--file", file, "--shop", "no domain"], "--shop must be a domain, such as example.myshopify.com"],
  ])("%j is a wrong command", async (args, error) => {
    expect(await account(["import", ...args])).toEqual({ code: 2, lines: [], error });
  });
});
