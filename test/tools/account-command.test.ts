/** The account command does what its help says, on accounts with and without an object. */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { commands } from "../../scripts/account/commands.ts";
import { seed } from "../../scripts/seed/index.ts";
import { createAccount } from "../../src/base/accounts/actions.ts";
import { keyIdOf } from "../../src/base/accounts/api-key.ts";
import { readAccount } from "../../src/base/accounts/queries.ts";
import { commit } from "../../src/base/db/commit.ts";
import type { Db } from "../../src/base/db/port.ts";
import { demoId, demoShop } from "../../src/base/demo.ts";
import { libsqlFile } from "../support/libsql-file.ts";
import { accountProcess, account as inThisProcess, type Ran } from "./account-run.ts";

/** The command on a database in a file. */
let url: string;
let db: Db;
beforeAll(async () => {
  const file = await libsqlFile();
  db = file.db;
  url = `file:${file.path}`;
});

function account(...args: string[]): Promise<Ran> {
  return inThisProcess(args, { LIBSQL_URL: url });
}

/** As an operator calls it. */
function inItsOwnProcess(...args: string[]): Promise<Ran> {
  return accountProcess(args, { LIBSQL_URL: url });
}

test("--help names every subcommand", async () => {
  const { code, lines, error } = await account("--help");
  expect([code, lines]).toEqual([0, []]);
  const named = [...error.matchAll(/^ {2}([a-z][a-z -]*?)(?: {2,}|$)/gm)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(Object.keys(commands).toSorted());
});

test("create leaves the demo store's shop to the demo store", async () => {
  const { code, error } = await account("create", "--shop", demoShop);
  expect([code, error]).toEqual([2, expect.stringContaining(`${demoShop} is kept for the demo store`)]);
});

test("--help names every option of create", async () => {
  const { error } = await account("--help");
  const [line] = /^ {2}create .*$/m.exec(error) ?? [""];
  expect([...line.matchAll(/--([a-z]+)/g)].map(([, option]) => option)).toEqual([
    ...["shop", "name", "timezone", "currency", "engine", "test"],
  ]);
});

test.each(["constructor", "rename all"])("%s is no subcommand", async (name) => {
  const { code, lines, error } = await account(...name.split(" "));
  expect([code, lines, error]).toEqual([2, [], `No such command: "${name}"; --help lists them`]);
});

describe("rename", () => {
  const create = async (shop: string): Promise<string> => {
    const terms = { shop, timezone: "UTC", currency: "EUR" };
    return (await createAccount(db, terms, new Date().toISOString())).account.id;
  };

  test("gives an account another shop, in the form that shops have", async () => {
    const account_id = await create("old.myshopify.com");
    const { code, lines } = await inItsOwnProcess(
      ...["rename", "--shop", "https://OLD.myshopify.com/", "--to", "https://New.myshopify.com/"],
    );
    expect([code, lines]).toEqual([
      0,
      [{ account_id, shop: "new.myshopify.com", previous_shop: "old.myshopify.com" }],
    ]);
    expect((await readAccount(db, account_id))?.shop).toBe("new.myshopify.com");
    expect(await create("old.myshopify.com")).not.toBe(account_id);
  });

  test("is refused, with one line on stderr, of an account that is connected to a store, or was", async () => {
    const account_id = await create("connected.myshopify.com");
    await commit({ db }, [
      {
        sql: `INSERT INTO shopify_connections (account_seq, credentials, shop, created_at, updated_at, disconnected_at)
          VALUES ((SELECT seq FROM accounts WHERE id = ?), '', 'b.myshopify.com', '', '', '')`,
        params: [account_id],
      },
    ]);
    const { code, error } = await account("rename", "--account", account_id, "--to", "free.myshopify.com");
    expect([code, error]).toEqual([
      1,
      "The account is connected to connected.myshopify.com, or was: its credentials and contracts are that store's",
    ]);
  });

  test.each([
    [["--shop", "new.myshopify.com"], "--to is required"],
    [
      ["--shop", "new.myshopify.com", "--to", "no domain"],
      "--to must be a domain, such as example.myshopify.com",
    ],
  ])("%j is a wrong command", async (args, error) => {
    expect(await account("rename", ...args)).toEqual({ code: 2, lines: [], error });
  });
});

describe("attempt settle", () => {
  const attempt = ["attempt", "settle", "--shop", "any.myshopify.com", "--attempt", "a-1"];

  test.each([
    [[], "either --charged or --not-charged is required"],
    [["--charged", "order-1", "--not-charged"], "either --charged or --not-charged is required"],
    [["--not-charged", "--amount", "12.50"], "--amount goes with --charged"],
    [["--charged", "order-1", "--amount", "12,50"], "--amount must be a number, such as 12.50"],
  ])("%j is a wrong command", async (args, error) => {
    expect(await account(...attempt, ...args)).toEqual({ code: 2, lines: [], error });
  });

  test("finds the attempt under review by its subscription's number", async () => {
    const file = await libsqlFile();
    await seed(file.db, new Date());
    const settle = (number: string) =>
      inThisProcess(
        ["attempt", "settle", "--shop", demoShop, "--attempt", number, "--not-charged", "--dry-run"],
        { LIBSQL_URL: `file:${file.path}` },
      );
    const missing = { code: 1, error: "No billing attempt under review has the id or the subscription 1001" };
    expect(await settle("1001")).toMatchObject(missing);
    const sql = `UPDATE billing_attempts SET status = 'REVIEW', order_id = NULL, settled_at = NULL
      WHERE subscription_id = (SELECT id FROM subscriptions WHERE number = 1001)`;
    await commit({ db: file.db }, [{ sql, params: [] }]);
    for (const number of ["1001", "#1001"]) {
      const { code, lines, error } = await settle(number);
      expect([code, error]).toEqual([0, ""]);
      expect(lines).toMatchObject([{ subscription_id: demoId("subscription", 1), status: "CANCELLED" }]);
    }
  });
});

describe("reconcile", () => {
  const reconcile = () =>
    inItsOwnProcess("reconcile", "--shop", "books.myshopify.com", "--since", "2026-11-01");
  const charge = (account_id: string, nth: number) => ({
    sql: `INSERT INTO sandbox_charges (account_seq, idempotency_key, state, amount, currency_code, created_at)
      VALUES ((SELECT seq FROM accounts WHERE id = ?), ?, 'SUCCEEDED', 1000, 'EUR', ?)`,
    params: [
      account_id,
      nth.toString(16).padStart(40, "0"),
      `2026-11-02T00:00:00.${String(nth).padStart(3, "0")}Z`,
    ],
  });

  test("compares all pages since a day of the account's, prints each finding and a summary, and fails while something is open", async () => {
    const terms = { shop: "books.myshopify.com", timezone: "Europe/Berlin", currency: "EUR" };
    const { id } = (await createAccount(db, terms, new Date().toISOString())).account;
    const since = "2026-10-31T23:00:00.000Z";
    expect(await reconcile()).toEqual({
      code: 0,
      lines: [{ since, pages: 1, recorded: 0, unresolved: 0 }],
      error: "",
    });
    await commit(
      { db },
      Array.from({ length: 51 }, (_, nth) => charge(id, nth)),
    );
    const { code, lines } = await reconcile();
    expect([code, lines.length]).toEqual([1, 52]);
    expect(lines[0]).toEqual({
      problem: "unknown_charge",
      store_key: "0".repeat(40),
      reference: expect.any(String),
      attempt_id: null,
      subscription_id: null,
    });
    expect(lines.at(-1)).toEqual({ since, pages: 2, recorded: 0, unresolved: 51 });
  });
});

describe("key create", () => {
  const create = (...args: string[]) =>
    account("key", "create", "--shop", "keys.myshopify.com", "--name", "Warehouse", ...args);
  beforeAll(async () => {
    const terms = { shop: "keys.myshopify.com", timezone: "UTC", currency: "EUR" };
    await createAccount(db, terms, new Date().toISOString());
  });

  test("makes a key with the scopes and for the time that are named", async () => {
    const { code, lines } = await create("--scopes", "orders:read,subscriptions:read", "--expires-in", "90d");
    const [line] = lines as unknown as {
      key_id: string;
      api_key: string;
      scopes: string[];
      expires_at: string;
    }[];
    expect([code, lines.length, line?.scopes]).toEqual([0, 1, ["orders:read", "subscriptions:read"]]);
    expect(keyIdOf(line!.api_key)).toBe(line!.key_id);
    const days = (Date.parse(line!.expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(89.99);
    expect(days).toBeLessThanOrEqual(90);
    const listed = (await account("key", "list", "--shop", "keys.myshopify.com")).lines as unknown[];
    expect(listed).toContainEqual(
      expect.objectContaining({ key_id: line!.key_id, scopes: line!.scopes, expires_at: line!.expires_at }),
    );
    expect(JSON.stringify(listed)).not.toContain("prnl_");
  });

  test("without them it may do everything, for ever", async () => {
    const { lines } = await create();
    expect(lines).toMatchObject([{ name: "Warehouse", scopes: null, expires_at: null }]);
  });

  test.each([
    [["--scopes", "orders:delete"], /^--scopes must be of account:read, account:write, /],
    [["--scopes", ""], /^--scopes must be of /],
    [["--expires-in", "90"], /^--expires-in must be a number of days or hours, such as 90d or 12h$/],
    [["--expires-in", "0d"], /^--expires-in must be /],
    [["--expires-in", "-1d"], /^(--expires-in must be |Option '--expires-in')/],
  ])("%j is a wrong command", async (args, error) => {
    const answer = await create(...args);
    expect([answer.code, answer.lines]).toEqual([2, []]);
    expect(answer.error).toMatch(error);
  });
});

test("after-restore: every stream goes on higher, also one that had no event yet", async () => {
  const now = new Date().toISOString();
  const shops = ["raised-one.myshopify.com", "raised-two.myshopify.com"];
  const [one, two] = await Promise.all(
    shops.map((shop) => createAccount(db, { shop, timezone: "UTC", currency: "USD" }, now)),
  );
  const sequences = async () => {
    const highest = `SELECT accounts.id, MAX(last) AS last FROM (SELECT account_seq, last FROM event_sequences
      UNION ALL SELECT account_seq, sequence FROM activity_logs) JOIN accounts ON accounts.seq = account_seq GROUP BY 1`;
    const [result] = await db.batch([{ sql: highest, params: [] }], "read");
    const rows = (result?.rows ?? []) as { id: string; last: number }[];
    return new Map<string | undefined, number>(rows.map(({ id, last }) => [id, last]));
  };
  const before = await sequences();
  const { code, lines } = await account("after-restore");
  expect([code, lines.length]).toEqual([0, 1]);
  const raised = await sequences();
  for (const id of [one?.account.id, two?.account.id])
    expect(raised.get(id)).toBe((before.get(id) ?? 0) + 1_000_000);
});

test("after-restore: no account is given a number that one which the restore has undone may have had", async () => {
  const open = async (shop: string) =>
    (await createAccount(db, { shop, timezone: "UTC", currency: "USD" }, new Date().toISOString())).account;
  const { seq } = await open("before-raise.myshopify.com");
  expect((await account("after-restore")).code).toBe(0);
  expect((await open("after-raise.myshopify.com")).seq).toBe(seq + 100_001);
});

describe("after-restore: contracts and plans are sent to their store again", () => {
  const shops = ["sent-one.myshopify.com", "sent-two.myshopify.com", "sent-closed.myshopify.com"];
  const write = (sql: string, ...params: string[]) => db.batch([{ sql, params }], "write");
  const leftAlone = "sent-closed.myshopify.com: sent, never";

  beforeAll(async () => {
    const now = new Date().toISOString();
    for (const shop of shops) await createAccount(db, { shop, timezone: "UTC", currency: "USD" }, now);
    await write('UPDATE accounts SET moving = \'{"step":"deleting"}\' WHERE shop = ?', shops[2]!);
  });
  beforeEach(async () => {
    const ofAll = "FROM accounts WHERE shop LIKE 'sent-%' ON CONFLICT DO UPDATE SET";
    await write(`INSERT INTO shopify_contracts (account_seq, subscription_id, lease_until, delivery)
      SELECT seq, 'a-subscription', '', 'sent' ${ofAll} delivery = 'sent'`);
    await write(`INSERT INTO selling_plan_syncs (account_seq, selling_plan_id)
      SELECT seq, '4401' ${ofAll} next_action_at = NULL`);
  });
  const sent = async () => {
    const [result] = await db.batch(
      [
        {
          sql: `SELECT shop || ': ' || COALESCE(delivery, 'forgotten') || ', ' || COALESCE(next_action_at, 'never') AS line
            FROM accounts JOIN shopify_contracts ON shopify_contracts.account_seq = seq
            JOIN selling_plan_syncs ON selling_plan_syncs.account_seq = seq ORDER BY shop`,
          params: [],
        },
      ],
      "read",
    );
    return result?.rows.map(({ line }) => line);
  };

  test("those of every account that is open", async () => {
    expect((await account("after-restore")).code).toBe(0);
    expect(await sent()).toEqual([
      leftAlone,
      "sent-one.myshopify.com: forgotten, 2000-01-01T00:00:00.000Z",
      "sent-two.myshopify.com: forgotten, 2000-01-01T00:00:00.000Z",
    ]);
  });

  test("and nothing at all while one of them is copied, which the refusal names", async () => {
    const state = (moving: string | null) =>
      db.batch(
        [{ sql: "UPDATE accounts SET moving = ? WHERE shop = ?", params: [moving, shops[1]!] }],
        "write",
      );
    await state('{"step":"copying"}');
    const answer = await account("after-restore");
    await state(null);
    expect(answer).toEqual({
      ...{ code: 1, lines: [] },
      error: `The account of ${shops[1]} is being moved: finish that, or give it up, by \`account -- move\``,
    });
    expect(await sent()).toEqual([leftAlone, ...shops.slice(0, 2).map((shop) => `${shop}: sent, never`)]);
  });

  test("those of the account that is named, alone; nor do the events of others go on higher", async () => {
    const lastOfOther = async () => {
      const sql = "SELECT last FROM event_sequences JOIN accounts ON seq = account_seq WHERE shop = ?";
      return (await db.batch([{ sql, params: [shops[1]!] }], "read"))[0]?.rows;
    };
    const before = await lastOfOther();
    expect(await account("after-restore", "--shop", shops[0]!)).toMatchObject({
      code: 0,
      lines: [{ accounts: 1 }],
    });
    expect(await sent()).toEqual([
      leftAlone,
      "sent-one.myshopify.com: forgotten, 2000-01-01T00:00:00.000Z",
      "sent-two.myshopify.com: sent, never",
    ]);
    expect(await lastOfOther()).toEqual(before);
  });
});

test("the revocation of a key prints the endpoints that it has made", async () => {
  const shop = "leaked.myshopify.com";
  await account("create", "--shop", shop);
  const made = await account("key", "create", "--shop", shop, "--name", "Leaked");
  const { key_id, account_id } = made.lines[0]!;
  const insert = (id: string, key: string | null, deleted_at: string | null = null) =>
    db.batch(
      [
        {
          sql: `INSERT INTO webhook_endpoints
            (id, account_seq, url, event_types, payload, is_enabled, secret, created_at, updated_at, deleted_at, made_by_key)
            SELECT ?, seq, 'https://a.example/', '["*"]', 'full', 1, '', '', '', ?, ? FROM accounts WHERE id = ?`,
          params: [id, deleted_at, key, account_id!],
        },
      ],
      "write",
    );
  await insert("theirs", key_id!);
  await insert("ours", null);
  await insert("gone", key_id!, "2026-11-20T12:00:00.000Z");
  const revoked = await account("key", "revoke", "--key", key_id!);
  expect(revoked.lines).toMatchObject([{ key_id, webhook_endpoint_ids: ["theirs"] }]);
});

describe("an account with an object", () => {
  const shop = "apart.myshopify.com";
  beforeAll(async () => {
    await account("create", "--shop", shop, "--engine", "object");
  });

  test("is made with its entry in the directory, and nothing is scheduled for it here", async () => {
    const { lines } = await account("list");
    const created = lines.find((line) => line.shop === shop);
    expect(created).toMatchObject({ engine: "object" });
    const query = {
      sql: "SELECT * FROM reconciliations WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      params: [created!.account_id!],
    };
    expect((await db.batch([query], "read"))[0]?.rows).toEqual([]);
  });

  test("has keys that are made, listed and revoked as ever", async () => {
    const made = await account("key", "create", "--shop", shop, "--name", "Warehouse");
    const key_id = made.lines[0]!.key_id!;
    const revoked = await account("key", "revoke", "--key", key_id);
    expect(revoked.lines).toMatchObject([{ key_id, webhook_endpoint_ids: null }]);
    expect(revoked.error).toContain(
      "whether it has made webhook endpoints is not known: an account with an object",
    );
    const { lines } = await account("key", "list", "--shop", shop);
    expect(lines.find((line) => line.key_id === key_id)?.revoked_at).not.toBeNull();
  });

  test.each([
    ["rename", "--to", "elsewhere.myshopify.com"],
    ["sync-plans"],
    ["attempt list"],
    ["reconcile", "--since", "2026-11-01"],
  ])("is reached by %s through its deployment, which has to be named", async (name, ...args) => {
    const { code, lines, error } = await account(...name.split(" "), "--shop", shop, ...args);
    expect([code, lines]).toEqual([2, []]);
    expect(error).toBe(
      "an account with an object is reached through its deployment: OPERATOR_URL and OPERATOR_KEY must be set in the environment",
    );
  });
});

test("an engine that there is not is a wrong command", async () => {
  const { code, error } = await account("create", "--shop", "wrong.myshopify.com", "--engine", "disk");
  expect(code).toBe(2);
  expect(error).toMatch(/^--engine /);
});
