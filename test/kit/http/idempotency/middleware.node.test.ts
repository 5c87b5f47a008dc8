/** The middleware of Idempotency-Key acts once for each key, whatever is stored, lost or asked for at once. */
import { beforeEach, describe, expect, test } from "vitest";
import { raw, rows } from "../../../../src/base/db/statement.ts";
import { DomainError, notFound } from "../../../../src/base/errors.ts";
import { type Created, keepCreated, nothingCreated } from "../../../../src/kit/context.ts";
import {
  createReason,
  errorOf,
  gate,
  idempotentApp,
  insertReason,
  isReplayed,
  newAccount,
  started,
  type World,
} from "./idempotent-app.ts";

let app: World;
beforeEach(async () => {
  app = await idempotentApp();
});

const day = 24 * 3_600_000;
const takenOver = [409, "IDEMPOTENCY_IN_PROGRESS", "Another request took this Idempotency-Key over"];
const gone = [
  409,
  "IDEMPOTENCY_IN_PROGRESS",
  "The request with this Idempotency-Key has succeeded, but the records it created no longer exist",
];
const reused = [422, "IDEMPOTENCY_KEY_REUSED", "This Idempotency-Key was used for another request"];

describe("the same key with the same request", () => {
  test("acts once and replays status, body and the headers that belong to it", async () => {
    const first = await app.send({ key: "k" });
    const second = await app.send({ key: "k" });
    expect([first.status, isReplayed(first), first.headers.get("X-Other")]).toEqual([
      201,
      false,
      "is not kept",
    ]);
    expect([second.status, second.text, isReplayed(second)]).toEqual([201, first.text, true]);
    for (const name of ["Content-Type", "Location"])
      expect(second.headers.get(name)).toBe(first.headers.get(name));
    expect(second.headers.has("X-Other")).toBe(false);
    expect(await app.labels()).toEqual(["one"]);
    expect(app.logged).toEqual([]);
  });

  test("a page's links are replayed, and a header that was not sent is not", async () => {
    app.handler = (c) => c.json([], 200, { Link: "</x>; rel=next" });
    await app.send({ key: "k" });
    const { headers } = await app.send({ key: "k" });
    expect([headers.get("Link"), headers.has("Location")]).toEqual(["</x>; rel=next", false]);
  });

  test("an answer without a body is replayed without one", async () => {
    app.handler = async (c) => {
      await insertReason(c);
      return c.body(null, 204);
    };
    await app.send({ key: "k" });
    const again = await app.send({ key: "k" });
    expect([again.status, again.text, isReplayed(again)]).toEqual([204, "", true]);
    expect((await app.rowOf("k"))?.body).toBeNull();
  });

  test("without a key a request acts each time, and leaves no row", async () => {
    for (const body of ["one", "two"]) expect((await app.send({ body })).status).toBe(201);
    expect(await app.labels()).toEqual(["one", "two"]);
    expect(await app.database.batch([{ sql: "SELECT * FROM idempotency_keys", params: [] }], "read")).toEqual(
      [{ rows: [] }],
    );
  });

  test("replays for 24 hours to the millisecond, and acts again after them", async () => {
    const first = await app.send({ key: "k" });
    app.clock = started + day;
    expect((await app.send({ key: "k" })).text).toBe(first.text);
    app.clock = started + day + 1;
    const later = await app.send({ key: "k", body: "two" });
    expect([later.status, isReplayed(later)]).toEqual([201, false]);
    expect(await app.labels()).toEqual(["one", "two"]);
    app.clock = started + 2 * day + 1;
    expect((await app.send({ key: "k", body: "two" })).text, "24 hours from then on").toBe(later.text);
  });

  test("one that fails to store its answer has answered, and says so in the log", async () => {
    app.intercept = async ([{ sql } = { sql: "" }]) => {
      if (/set "state" = \?, "status"/.test(sql)) throw new Error("isolate gone");
    };
    expect((await app.send({ key: "k" })).status).toBe(201);
    expect(app.logged).toEqual([["idempotency_not_settled", { cause: "Error: isolate gone" }]]);
  });
});

describe("the key", () => {
  test.each([
    ["x", "x"],
    ["x".repeat(255), "x".repeat(255)],
    [`"${"x".repeat(255)}"`, "x".repeat(255)],
    ['"a\\"b\\\\c"', 'a"b\\c'],
    [`"${'\\"'.repeat(255)}"`, '"'.repeat(255)],
    ["with space", "with space"],
    ["ab", "ab"],
    ["!~", "!~"],
    ['" ~"', " ~"],
    ['half"', 'half"'],
    ['x"a"', 'x"a"'],
    ["a\\b", "a\\b"],
  ])("%s is kept as %s", async (header, key) => {
    expect((await app.send({ key: header })).status).toBe(201);
    expect(await app.rowOf(key)).toMatchObject({ key, state: "DONE" });
  });

  test.each([
    "",
    '""',
    "x".repeat(256),
    `"${"x".repeat(256)}"`,
    `"${'\\"'.repeat(256)}"`,
    '"',
    '"half',
    '"a"b"',
    '"a\\b"',
    '"a"x',
    "a\tb",
    "caf\u00e9",
    '"caf\u00e9"',
  ])("%s is refused", async (key) => {
    const { status, text } = await app.send({ key });
    expect([status, JSON.parse(text)]).toEqual([
      400,
      {
        error:
          "Request is not valid: Idempotency-Key: must have 1 to 255 visible ASCII characters, bare or in quotes",
        errorCode: "VALIDATION_FAILED",
        request_id: "request",
        details: [
          {
            path: "Idempotency-Key",
            message: "must have 1 to 255 visible ASCII characters, bare or in quotes",
          },
        ],
      },
    ]);
    expect(await app.labels()).toEqual([]);
  });

  test.each<[string, object]>([
    ["account", {}],
    ["caller", { caller: "key-2" }],
    ["method", { method: "PATCH" }],
    ["path", { path: "/others" }],
    ["key", { key: "K" }],
  ])("is the %s's own", async (which, request) => {
    await app.send({ key: "k" });
    if (which === "account") app.account = await newAccount(app.database);
    const other = await app.send({ key: "k", body: "two", ...request });
    expect([other.status, isReplayed(other)]).toEqual([201, false]);
    expect(await app.labels()).toEqual(["one", "two"]);
    const again = await app.send({ key: "k", body: "two", ...request });
    expect([again.text, isReplayed(again)]).toEqual([other.text, true]);
  });

  test.each([
    ["another body", { body: "two" }],
    ["no body", { body: "" }],
    ["a longer body", { body: "one more" }],
    ["another media type", { type: "text/x-csv" }],
    ["no media type", { type: undefined }],
    ["another query", { path: "/reasons?page=2" }],
    ["no query", { path: "/reasons" }],
  ])("is not for %s", async (_, request) => {
    const sent = { key: "k", path: "/reasons?page=1", type: "text/plain" };
    await app.send(sent);
    expect(errorOf(await app.send({ ...sent, ...request }))).toEqual(reused);
    expect(await app.labels()).toEqual(["one"]);
  });

  test("is for the same query, and for the same media type with other parameters", async () => {
    const path = "/reasons?b=1&a=2";
    await app.send({ key: "k", path, type: "text/plain" });
    expect(isReplayed(await app.send({ key: "k", path, type: "Text/Plain; charset=utf-8" }))).toBe(true);
  });

  test("is also for a request whose body nobody reads", async () => {
    app.handler = (c) => c.text("done");
    await app.send({ key: "k", body: null });
    expect(isReplayed(await app.send({ key: "k", body: null }))).toBe(true);
    expect(isReplayed(await app.send({ key: "k", body: "" }))).toBe(true);
  });
});

describe("two requests at once", () => {
  /** A request that has found its key free, and stops before its commit. */
  const held = async ({ reads = true } = {}) => {
    const point = gate();
    app.handler = async (c) => {
      if (reads) await rows(c.get("ctx").db, raw("SELECT 1"));
      await point.pass();
      return createReason(c);
    };
    const first = app.send({ key: "k" });
    await point.reached;
    app.handler = createReason;
    return { first, open: point.open };
  };

  test("one commits; the other changes nothing and is refused, and is answered when it is repeated", async () => {
    const { first, open } = await held();
    const second = await app.send({ key: "k" });
    expect([second.status, isReplayed(second)]).toEqual([201, false]);
    open();
    expect(errorOf(await first)).toEqual(takenOver);
    expect((await app.send({ key: "k" })).text).toBe(second.text);
    expect(await app.labels()).toEqual(["one"]);
  });

  test("one that reads nothing before its commit is answered as the other was", async () => {
    const { first, open } = await held({ reads: false });
    const second = await app.send({ key: "k" });
    open();
    expect([(await first).text, isReplayed(await first)]).toEqual([second.text, true]);
    expect(await app.labels()).toEqual(["one"]);
  });

  test.each([true, false])("another request with the key is told so, reading before (%s)", async (reads) => {
    const { first, open } = await held({ reads });
    expect((await app.send({ key: "k", body: "two" })).status).toBe(201);
    open();
    expect(errorOf(await first)).toEqual(reused);
    expect(await app.labels()).toEqual(["two"]);
  });

  test("one that changes nothing leaves the other's answer as it is", async () => {
    const { first, open } = await held();
    app.handler = (c) => c.text("nothing to do");
    expect((await app.send({ key: "k" })).text).toBe("nothing to do");
    open();
    expect(errorOf(await first)).toEqual(takenOver);
    expect((await app.send({ key: "k" })).text).toBe("nothing to do");
    expect(await app.labels()).toEqual([]);
  });
});

describe("the key is looked up", () => {
  const statements = async (send: () => Promise<unknown>): Promise<[number, string][]> => {
    const seen: [number, string][] = [];
    app.intercept = async (batch) => void seen.push([batch.length, batch[0]?.sql.slice(0, 6) ?? ""]);
    await send();
    return seen;
  };

  test("with the first that its request reads; the commit marks it, and the answer follows", async () => {
    app.handler = async (c) => {
      await rows(c.get("ctx").db, raw("SELECT 1"));
      return createReason(c);
    };
    expect(await statements(() => app.send({ key: "k" }))).toEqual([
      [2, "select"],
      [2, "insert"],
      [1, "update"],
    ]);
    expect(await statements(() => app.send({ key: "k" }))).toEqual([[2, "select"]]);
  });

  test("by itself where the handler has failed before it read anything", async () => {
    await app.send({ key: "k" });
    app.handler = () => {
      throw notFound("Reason");
    };
    expect(isReplayed(await app.send({ key: "k" }))).toBe(true);
    expect((await app.send({ key: "free" })).status).toBe(404);
  });

  test("also where its handler returns without a look at the database", async () => {
    const first = await app.send({ key: "k" });
    app.handler = (c) => c.text("acts again");
    expect((await app.send({ key: "k" })).text).toBe(first.text);
  });
});

describe("what is stored", () => {
  test.each([200, 201, 202, 400])("%i is", async (status) => {
    app.handler = (c) => c.json({ status }, status as 200);
    await app.send({ key: "k" });
    const again = await app.send({ key: "k" });
    expect([again.status, again.text, isReplayed(again)]).toEqual([status, `{"status":${status}}`, true]);
  });

  test.each([302, 401, 403, 404, 409, 429, 500, 503])("%i is not: the key is free again", async (status) => {
    app.handler = (c) => c.json({}, status as 400);
    expect((await app.send({ key: "k" })).status).toBe(status);
    expect(await app.rowOf("k")).toBeUndefined();
    app.handler = createReason;
    expect(isReplayed(await app.send({ key: "k", body: "two" }))).toBe(false);
  });

  test("an error that is thrown is not either", async () => {
    app.handler = () => {
      throw notFound("Reason");
    };
    expect((await app.send({ key: "k" })).status).toBe(404);
    expect(await app.rowOf("k")).toBeUndefined();
  });

  test("an answer of 64 KiB is, one byte more is not", async () => {
    app.handler = (c) => c.text("é".repeat(32 * 1024));
    await app.send({ key: "fits" });
    expect(await app.rowOf("fits")).toMatchObject({ state: "DONE", body: "é".repeat(32 * 1024) });
    app.handler = (c) => c.text(`${"é".repeat(32 * 1024)}!`);
    await app.send({ key: "long" });
    expect(await app.rowOf("long")).toBeUndefined();
  });
});

describe("a request that has committed and whose answer is not stored", () => {
  const tooLong = "x".repeat(70_000);
  const unstored = async (status = 500): Promise<string> => {
    let id = "";
    app.handler = async (c) => {
      id = await insertReason(c);
      return status === 200 ? c.text(tooLong) : c.json({}, 500);
    };
    expect((await app.send({ key: "k" })).status).toBe(status);
    app.handler = () => {
      throw new Error("acts again");
    };
    return id;
  };

  test.each([200, 500])(
    "(%i) is answered from the ids it has created, and that answer is stored",
    async (status) => {
      const id = await unstored(status);
      expect(await app.rowOf("k")).toMatchObject({
        state: "COMMITTED",
        made: JSON.stringify({ reason: id }),
        status: null,
        body: null,
      });
      app.answerAgain = ({ created }) => ({ ids: [created.reason], times: 1 });
      const again = await app.send({ key: "k" });
      expect([again.status, JSON.parse(again.text), isReplayed(again)]).toEqual([
        201,
        { ids: [id], times: 1 },
        true,
      ]);
      expect(await app.rowOf("k")).toMatchObject({ state: "DONE", made: null });
      app.answerAgain = undefined;
      expect((await app.send({ key: "k" })).text).toBe(again.text);
      expect(await app.labels()).toEqual(["one"]);
    },
  );

  test("is not taken over, however long ago", async () => {
    await unstored();
    app.clock = started + day;
    app.answerAgain = () => ({});
    expect(isReplayed(await app.send({ key: "k" }))).toBe(true);
    expect(await app.labels()).toEqual(["one"]);
  });

  test.each<[string, World["answerAgain"]]>([
    ["whose records have been deleted", () => Promise.reject(notFound("Reason"))],
    ["whose operation cannot answer again", undefined],
  ])("%s is refused, and stays as it is", async (_, answerAgain) => {
    const id = await unstored();
    app.answerAgain = answerAgain;
    const again = await app.send({ key: "k" });
    expect([errorOf(again), isReplayed(again)]).toEqual([gone, false]);
    expect(await app.rowOf("k")).toMatchObject({ state: "COMMITTED", made: JSON.stringify({ reason: id }) });
  });

  test.each<[string, Error, string]>([
    ["that may not be shown now", new DomainError("FORBIDDEN", "Not now"), "FORBIDDEN"],
    ["whose answer fails inside", Object.assign(new Error("x"), { code: "NOT_FOUND" }), "INTERNAL"],
  ])("%s fails as any request does", async (_, error, code) => {
    await unstored();
    app.answerAgain = () => Promise.reject(error);
    expect(errorOf(await app.send({ key: "k" }))[1]).toBe(code);
  });

  test("is answered later if it cannot be answered now", async () => {
    await unstored();
    app.answerAgain = () => Promise.reject(new Error("Network connection lost"));
    expect(errorOf(await app.send({ key: "k" }))[1]).toBe("UNAVAILABLE");
    app.answerAgain = () => ({});
    expect((await app.send({ key: "k" })).status).toBe(201);
  });

  test("keeps the answer that another retry has stored meanwhile", async () => {
    await unstored();
    const point = gate();
    app.answerAgain = async () => {
      await point.pass();
      return { retry: 1 };
    };
    const slow = app.send({ key: "k" });
    await point.reached;
    app.answerAgain = () => ({ retry: 2 });
    await app.send({ key: "k" });
    point.open();
    await slow;
    expect((await app.send({ key: "k" })).text).toBe('{"retry":2}');
  });

  test("is answered from the ids of the try that has committed, and knows of nothing that was not created", async () => {
    app.handler = async (c) => {
      keepCreated(c.get("ctx"), { reason: "of a try before" });
      await insertReason(c);
      return c.json({}, 500);
    };
    await app.send({ key: "k" });
    app.answerAgain = ({ created }) => created;
    const { reason, ...others } = JSON.parse((await app.send({ key: "k" })).text) as Created;
    expect(reason).toMatch(/^[0-9a-f-]{36}$/);
    expect({ reason: "", ...others }).toEqual(nothingCreated);
  });
});
