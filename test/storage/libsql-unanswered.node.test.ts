/** A libSQL server that does not answer is asked once and waited for 30 seconds, and the outcome of a write stays unknown. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openDirectory } from "../../src/base/db/client.ts";
import { commit } from "../../src/base/db/commit.ts";
import { transienceOf } from "../../src/base/db/transient-errors.ts";
import type { Env } from "../../src/base/env.ts";

/** How much of a request the server answers: none of it, or the head alone (`half`). */
let answers: "none" | "half" = "none";
const open: ServerResponse[] = [];
const server = createServer((_, response) => {
  open.push(response);
  if (answers === "half") response.writeHead(200, { "Content-Type": "application/json" }).write("{");
});
let env: Env;

/** The bound of each request. The tests wait for a tenth of a second instead. */
const bounds_ms: number[] = [];
const { timeout } = AbortSignal;

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  env = { LIBSQL_URL: `http://127.0.0.1:${(server.address() as { port: number }).port}` } as Env;
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    bounds_ms.push(ms);
    return timeout.call(AbortSignal, 100);
  });
});
afterAll(() => {
  vi.restoreAllMocks();
  for (const response of open) response.destroy();
  server.close();
});

const insert = { sql: "INSERT INTO notes VALUES (1)", params: [] };

describe.each(["none", "half"] as const)("a libSQL server that answers %s of a request", (how) => {
  beforeAll(() => {
    answers = how;
  });

  test("is asked once and waited for 30 seconds, and a write is UNAVAILABLE", async () => {
    bounds_ms.length = 0;
    const written = commit({ db: openDirectory(env) }, [insert, insert]);
    await expect(written).rejects.toMatchObject({ name: "DomainError", code: "UNAVAILABLE" });
    expect(bounds_ms).toEqual([30_000]);
  });

  test("leaves the outcome of one statement unknown too", async () => {
    const read = openDirectory(env).batch([{ sql: "SELECT 1", params: [] }], "read");
    expect(transienceOf(await read.catch((error) => error))).toBe("unanswered");
  });
});
