import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { unstable_startWorker } from "wrangler";
import { childEnv } from "./child-env.ts";
import { openLibsqlServer } from "./libsql-server.ts";

/** Each call is a process of its own. */
vi.setConfig({ testTimeout: 60_000 });

const shop = "object.myshopify.com";
const operatorKey = randomBytes(32).toString("base64");
const credentialsKey = randomBytes(32).toString("base64");

let worker: Awaited<ReturnType<typeof unstable_startWorker>>;
let server: Awaited<ReturnType<typeof openLibsqlServer>>;
let address: string;
let accountId: string;

beforeAll(async () => {
  server = await openLibsqlServer();
  const plain = (value: string) => ({ type: "plain_text", value }) as const;
  worker = await unstable_startWorker({
    config: "wrangler.toml",
    bindings: {
      LIBSQL_URL: plain(server.url),
      OPERATOR_KEY: plain(operatorKey),
      STORE_CREDENTIALS_KEY: plain(credentialsKey),
    },
    dev: {
      server: { hostname: "127.0.0.1", port: 0 },
      inspector: false,
      logLevel: "none",
      watch: false,
      persist: false,
    },
  });
  await worker.ready;
  address = String(await worker.url);
}, 60_000);
afterAll(async () => {
  await worker?.dispose();
  await server?.close();
});

type Ran = { code: number; lines: Record<string, unknown>[]; error: string };
const account = (args: string[], { key = operatorKey } = {}): Promise<Ran> =>
  new Promise((resolve) => {
    const env = {
      ...childEnv,
      ...{ NODE_NO_WARNINGS: "1", LIBSQL_URL: server.url, STORE_CREDENTIALS_KEY: credentialsKey },
      ...{ OPERATOR_URL: address, OPERATOR_KEY: key },
    };
    execFile(process.execPath, ["scripts/account.ts", ...args], { env }, (failure, stdout, stderr) => {
      const lines = stdout.split("\n").filter(Boolean);
      resolve({
        code: Number(failure?.code ?? 0),
        lines: lines.map((line) => JSON.parse(line)),
        error: stderr.trim(),
      });
    });
  });

test("an account with an object is made and listed with its engine", async () => {
  const { code, lines } = await account(["create", "--shop", shop, "--engine", "object"]);
  expect(code).toBe(0);
  accountId = String(lines[0]?.account_id);
  const { lines: listed } = await account(["list"]);
  expect(listed).toMatchObject([{ account_id: accountId, shop, engine: "object" }]);
});

test.each([
  [["attempt", "list", "--shop", shop], []],
  [["events", "raise"], [{ accounts: 1 }]],
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
