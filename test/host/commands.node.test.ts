/** One file in an empty folder serves, keeps accounts, copies and restores, by Node alone. */
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoApiKey } from "../../src/base/demo.ts";
import { createAccount, type Host, newFolder, runHost, startHost } from "./process.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test states the body's type where it matters
type Json = any;

const data = newFolder();
let host: Host;
let key: string;
beforeAll(async () => {
  host = await startHost(data);
  key = await createAccount(data, "one.example");
});
afterAll(() => host.end("SIGKILL"));

async function ask(path: string, init: RequestInit = {}, its = key) {
  const headers = { "X-API-Key": its, "Content-Type": "application/json" };
  const answer = await fetch(host.origin + path, { headers, ...init });
  return { status: answer.status, body: (await answer.json()) as Json };
}

async function addEndpoint(name: string): Promise<void> {
  const body = JSON.stringify({
    url: `https://hooks.example.org/${name}`,
    event_types: ["subscription.created"],
  });
  expect(await ask("/api/webhook-endpoints", { method: "POST", body })).toMatchObject({ status: 201 });
}

async function endpoints(): Promise<string[]> {
  const { body } = await ask("/api/webhook-endpoints");
  return body.data.map(({ url }: { url: string }) => url.split("/").at(-1)).sort();
}

describe("serve", () => {
  test("makes the secrets that nobody set, for its owner alone, and says to copy them", () => {
    const file = `${data}/keys.json`;
    const names = ["JWT_PRIVATE_JWK", "STORE_CREDENTIALS_KEY", "OPERATOR_KEY"];
    expect(Object.keys(JSON.parse(readFileSync(file, "utf8")))).toEqual(names);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(`${data}/perennial.sqlite`).mode & 0o077).toBe(0);
    const said = host.lines.find(({ event }) => event === "secrets_made");
    expect(said).toMatchObject({ names, advice: expect.stringContaining("copy this file") });
  });

  test("is refused to a second process", async () => {
    const refused = startHost(data);
    await expect(refused).rejects.toThrow(`ended with 1: Another process serves the data in ${data}`);
  });

  test("answers the API, the docs, files and the health check", async () => {
    expect(await ask("/health")).toMatchObject({
      status: 200,
      body: { status: "ok", storage: "ok", queue: "ok" },
    });
    expect((await ask("/api/account")).body.data).toMatchObject({
      shop: "one.example",
      currency_code: "USD",
    });
    const page = await fetch(`${host.origin}/api`);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=UTF-8"]);
    const file = await fetch(`${host.origin}/assets/portal.css`);
    const etag = file.headers.get("etag") as string;
    expect(file.headers.get("x-content-type-options")).toBe("nosniff");
    const again = await fetch(file.url, { headers: { "If-None-Match": etag } });
    expect(again.status).toBe(304);
  });

  test("with --demo has the demo store, and never beside a public address", async () => {
    const env = { PUBLIC_URL: "https://shop.example" };
    await expect(startHost(newFolder(), { args: ["--demo"], env })).rejects.toThrow(
      "the demo store's key is public",
    );
    const demo = await startHost(newFolder(), { args: ["--demo"] });
    const answer = await fetch(`${demo.origin}/api/subscriptions/skip-reasons`, {
      headers: { "X-API-Key": demoApiKey },
    });
    expect(answer.status).toBe(200);
    expect(await demo.end("SIGTERM")).toBe(0);
  });
});

describe("account", () => {
  test("keeps accounts and their keys beside the process that serves them", async () => {
    const { out } = await runHost(["account", "list", "--data", data]);
    expect(
      out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).shop),
    ).toEqual(["one.example"]);
    const other = await createAccount(data, "other.example");
    expect((await ask("/api/account", {}, other)).body.data.shop).toBe("other.example");
  });

  test("refuses what only Cloudflare has, in a sentence", async () => {
    const create = ["account", "create", "--shop", "x.example", "--engine", "object", "--data", data];
    expect(await runHost(create)).toMatchObject({
      code: 2,
      error: expect.stringContaining("one machine has one file"),
    });
    const move = ["account", "move", "--shop", "one.example", "--to", "object", "--data", data];
    expect(await runHost(move)).toMatchObject({ code: 2, error: expect.stringContaining("no other engine") });
  });

  test("takes an account from one machine to another, and names who deletes one", async () => {
    await addEndpoint("moving");
    const file = `${newFolder()}/one.jsonl`;
    const elsewhere = newFolder();
    const exported = await runHost([
      "account",
      "export",
      "--shop",
      "one.example",
      "--to",
      file,
      "--data",
      data,
    ]);
    expect(exported.code).toBe(0);
    copyFileSync(`${data}/keys.json`, `${elsewhere}/keys.json`);
    const second = await startHost(elsewhere);
    const imported = await runHost(["account", "import", "--file", file, "--data", elsewhere]);
    expect(imported).toMatchObject({ code: 0, error: expect.stringContaining("Every row is there") });
    const { out } = await runHost(["account", "key", "create", "--shop", "one.example", "--data", elsewhere]);
    const headers = { "X-API-Key": JSON.parse(out).api_key };
    const answer = await fetch(`${second.origin}/api/webhook-endpoints`, { headers });
    expect(((await answer.json()) as Json).data).toMatchObject([{ url: "https://hooks.example.org/moving" }]);
    await second.end("SIGTERM");
    const confirmed = ["--shop", "one.example", "--confirm", "one.example", "--data", elsewhere];
    expect(await runHost(["account", "delete", ...confirmed])).toMatchObject({
      code: 2,
      error: expect.stringContaining(
        `the process that serves ${elsewhere} does this: start it first (node perennial.mjs serve --data ${elsewhere})`,
      ),
    });
  });
});

describe("backup and restore", () => {
  test("a copy is made while the data are served, and put back while they are not", async () => {
    const copy = `${newFolder()}/copy.sqlite`;
    const before = await endpoints();
    expect((await runHost(["backup", copy, "--data", data])).code).toBe(0);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    await addEndpoint("later");

    const restore = ["restore", copy, "--data", data];
    expect(await runHost(restore)).toMatchObject({
      code: 1,
      error: expect.stringContaining("Another process"),
    });
    expect(await host.end("SIGTERM")).toBe(0);
    expect(readdirSync(data).filter((name) => /-(wal|shm)$/.test(name))).toEqual([]);
    const { code, out } = await runHost(restore);
    expect([code, JSON.parse(out)]).toEqual([0, { data, file: copy, kept: expect.any(String), accounts: 2 }]);
    expect(existsSync(JSON.parse(out).kept)).toBe(true);

    host = await startHost(data);
    expect(await endpoints()).toEqual(before);
    await addEndpoint("later");
  });

  test("a file that exists is kept, and one that is no whole copy is refused", async () => {
    const taken = `${newFolder()}/taken`;
    writeFileSync(taken, "something else");
    const kept = await runHost(["backup", taken, "--data", data]);
    expect(kept).toMatchObject({ code: 1, error: `${taken} exists already\n` });
    const empty = newFolder();
    const refused = await runHost(["restore", taken, "--data", empty]);
    expect(refused).toMatchObject({ code: 1, error: expect.stringContaining("is no whole copy") });
    expect(readdirSync(empty)).toEqual([]);
  });
});

test("a Node that is too old is told which one is needed, without a stack", async () => {
  const { code, error } = await runHost(["--help"], { NODE_OPTIONS: "--no-experimental-sqlite" });
  expect([code, error]).toEqual([1, `Node 24 or later is needed: this is ${process.version}\n`]);
});
