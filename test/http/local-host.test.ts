import { describe, expect, test } from "vitest";
import { deployment, nobody } from "../support/client.ts";
import { withEnvelope } from "../support/conform.ts";
import { operations } from "../support/document.ts";

const local = deployment({ ENVIRONMENT: "local" });

describe("the local server answers to its own names only, on every path", () => {
  const paths = [...new Set(operations.map(({ path }) => path)), "/no-such-path"];
  test.each(paths)("%s", async (path) => {
    for (const host of ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1"]) {
      const answer = await local(nobody, "GET", `http://${host}:8787${path}`);
      const { status, body } = withEnvelope(answer);
      expect([status, body.errorCode]).toEqual([403, "FORBIDDEN"]);
    }
  });

  test.each(["localhost", "127.0.0.1", "[::1]", "localhost:8787"])("%s is one of them", async (host) => {
    expect((await local(nobody, "GET", `http://${host}/health`)).status).toBe(200);
  });

  test("a Host header counts, whatever the address says", async () => {
    const headers = { Host: "evil.example" };
    const { status } = await local(nobody, "GET", "http://localhost:8787/api.json", { headers });
    expect(status).toBe(403);
  });
});
