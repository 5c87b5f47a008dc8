/** A key of the deployment is replaced without an interruption, and no secret is an argument. */
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createAccount } from "../../src/base/accounts/actions.ts";
import { commit } from "../../src/base/db/commit.ts";
import { rows } from "../../src/base/db/statement.ts";
import { readCredentials, writeConnection } from "../../src/stores/shopify/app/connection.ts";
import { childEnv } from "../support/child-env.ts";
import { libsqlFile } from "../support/libsql-file.ts";
import { account, accountProcess, type Ran } from "./account-run.ts";

function keyOf(byte: number): string {
  return Buffer.alloc(32, byte).toString("base64");
}

function run(script: string, args: string[], input = "") {
  const env = { ...childEnv, NODE_NO_WARNINGS: "1" };
  const options = { input, encoding: "utf8", env } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/${script}.ts`, ...args], options);
  return { code: status, out: stdout.trim(), error: stderr.trim() };
}

describe("signing-key", () => {
  const keysOf = (setting: string): { x: string }[] => JSON.parse(setting).keys;

  test("adds a key that does not sign yet, lets it sign, and removes the one before", () => {
    const first = run("signing-key", []).out;
    const added = run("signing-key", ["--add"], first).out;
    expect(keysOf(added)[0]).toEqual(JSON.parse(first));
    expect(keysOf(added)).toHaveLength(2);
    const promoted = run("signing-key", ["--promote"], added).out;
    expect(keysOf(promoted)).toEqual(keysOf(added).toReversed());
    const pruned = run("signing-key", ["--prune"], promoted).out;
    expect(keysOf(pruned)).toEqual(keysOf(promoted).slice(0, 1));
    expect(keysOf(run("signing-key", ["--add"], pruned).out)[0]).toEqual(keysOf(pruned)[0]);
  });

  test.each([
    ["--add", "", "standard input must hold a private key as JSON, or a set of them"],
    ["--add", "{}", "standard input must hold a private key as JSON, or a set of them"],
    ["--promote", '{"keys": []}', "standard input must hold a private key as JSON, or a set of them"],
    ["--prune", "", "standard input must hold a private key as JSON, or a set of them"],
  ])("%s refuses %j and prints no setting", (step, setting, reason) => {
    expect(run("signing-key", [step], setting)).toEqual({ code: 1, out: "", error: reason });
  });

  test.each(["--promote", "--prune"])("%s refuses a setting with one key alone", (step) => {
    const { code, out, error } = run("signing-key", [step], run("signing-key", []).out);
    expect([code, out]).toEqual([1, ""]);
    expect(error).toContain("has one key alone");
  });

  test.each([["--remove"], ["constructor"], ["--add", "key"]])("%j is a wrong command", (...args) => {
    const { code, out, error } = run("signing-key", args);
    expect([code, out]).toEqual([2, ""]);
    expect(error).toMatch(/^(Unknown option|Unexpected argument) '.+'\n--help says how it is called$/);
  });
});

test("credentials-key adds a key before the others, and removes all but the first", () => {
  const added = run("credentials-key", ["--add"], `${keyOf(1)}\n`).out;
  const [fresh, ...others] = added.split(",");
  expect(Buffer.from(fresh!, "base64")).toHaveLength(32);
  expect(others).toEqual([keyOf(1)]);
  expect(run("credentials-key", ["--prune"], added).out).toBe(fresh);
});

test.each([
  ["--add", "", "key 1 of 1 must be 32 bytes in base64"],
  ["--add", `${keyOf(1)},`, "key 2 of 2 must be 32 bytes in base64"],
  ["--add", `${keyOf(1).slice(4)}`, "key 1 of 1 must be 32 bytes in base64"],
  ["--prune", "", "key 1 of 1 must be 32 bytes in base64"],
  ["--prune", `,${keyOf(1)}`, "key 1 of 2 must be 32 bytes in base64"],
  ["--prune", `${keyOf(1)},no key`, "key 2 of 2 must be 32 bytes in base64"],
  ["--prune", keyOf(1), "the setting has one key alone: there is none to remove"],
])("credentials-key %s refuses %j and prints no setting", (step, setting, reason) => {
  const { code, out, error } = run("credentials-key", [step], setting);
  expect([code, out]).toEqual([1, ""]);
  expect(error).toBe(reason.startsWith("the setting") ? reason : `on standard input, ${reason}`);
});

describe("account -- reseal-credentials", () => {
  test("seals with the first key, so that the others can be removed; repeating it changes nothing", async () => {
    const { db, path } = await libsqlFile();
    const now = new Date().toISOString();
    const connect = async (shop: string, key: string) => {
      const { account: created } = await createAccount(db, { shop, timezone: "UTC", currency: "EUR" }, now);
      const credentials = { token: `shpat_of_${shop}` };
      await commit({ db }, [await writeConnection(key, { accountId: created.id, shop, credentials, now })]);
      return created.id;
    };
    const [older, newer, lost] = [keyOf(1), keyOf(2), keyOf(3)];
    const sealedByOlder = await connect("older.myshopify.com", older);
    const sealedByNewer = await connect("newer.myshopify.com", newer);
    const sealedByLost = await connect("lost.myshopify.com", lost);
    const reseal = async () => {
      const environment = { LIBSQL_URL: `file:${path}`, STORE_CREDENTIALS_KEY: `${newer},${older}` };
      return (await account(["reseal-credentials"], environment)).lines;
    };
    const endpoints = { secrets: "webhook_endpoints", resealed: 0, unchanged: 0, not_opened: [] };
    const stores = (counts: object) => [
      { secrets: "stores", not_opened: [sealedByLost], ...counts },
      endpoints,
    ];
    expect(await reseal()).toEqual(stores({ resealed: 1, unchanged: 1 }));
    for (const id of [sealedByOlder, sealedByNewer])
      expect((await readCredentials(db, newer, id)).credentials).toMatchObject({ token: expect.any(String) });
    const stored = () => rows(db, { sql: "SELECT credentials FROM shopify_connections", params: [] });
    const before = await stored();
    expect(await reseal()).toEqual(stores({ resealed: 0, unchanged: 2 }));
    expect(await stored()).toEqual(before);
  });
});

describe("account -- connect-shopify reads credentials from a file or from standard input", () => {
  const connectShopify = (...args: string[]) => [
    "connect-shopify",
    "--shop",
    "nobody.myshopify.com",
    ...args,
  ];
  const environment = () => ({
    LIBSQL_URL: `file:${join(mkdtempSync(join(tmpdir(), "perennial-")), "empty.db")}`,
  });
  const connect = (...args: string[]): Promise<Ran> => account(connectShopify(...args), environment());
  const shapes = /^credentials are JSON: \{"token": "…", "secret": "…"\}/;

  test("never from the command line", async () => {
    const { code, error } = await connect("--token", "shpat_secret");
    expect([code, error]).toEqual([2, "Unknown option '--token'"]);
  });

  const file = join(mkdtempSync(join(tmpdir(), "perennial-")), "credentials.json");
  const inFile = (text: string): Promise<Ran> => {
    writeFileSync(file, text);
    return connect("--credentials", file);
  };
  /** A process of its own has a standard input of its own. */
  const onStandardInput = (text: string): Promise<Ran> =>
    accountProcess(connectShopify("--credentials", "-"), environment(), text);
  test.each<[string, () => Promise<Ran>]>([
    ["a text alone", () => inFile("shpat_secret")],
    ["a token without the secret that signs webhooks", () => inFile('{"token":"shpat_secret"}')],
    ["an unknown field", () => inFile('{"token":"shpat_secret","more":1}')],
    ["half of it, on standard input", () => onStandardInput('{"client_id":"shpat_secret"}')],
  ])("what is no credential is a wrong command, and is not repeated: %s", async (_, act) => {
    const { code, lines, error } = await act();
    expect([code, lines]).toEqual([2, []]);
    expect(error).toMatch(shapes);
    expect(error).not.toContain("shpat_secret");
  });

  test("a file that there is not is named", async () => {
    expect(await connect("--credentials", "/no/such/file")).toMatchObject({
      code: 2,
      error: "/no/such/file cannot be read (ENOENT)",
    });
  });
});

test("no command that the pages show has a secret in its arguments", () => {
  for (const page of ["README.md", ...globSync("docs/**/*.md")])
    expect(readFileSync(page, "utf8"), page).not.toMatch(
      /^[^#\n]*account -- .*--(token|secret|client-id)\b/m,
    );
});
