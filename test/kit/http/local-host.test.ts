/** The local server answers to its own names alone. */
import { describe, expect, test } from "vitest";
import { deployment, nobody } from "../../support/client.ts";
import { withEnvelope } from "../../support/conform.ts";
import { operations } from "../../support/document.ts";

const local = deployment({ ENVIRONMENT: "local" });

describe("the local server", () => {
  test("answers to its own names only, on every path", async () => {
    const paths = [...new Set(operations.map(({ path }) => path)), "/no-such-path"];
    const hosts = ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1"];
    for (const [path, host] of paths.flatMap((path) => hosts.map((host) => [path, host] as const))) {
      const answer = await local(nobody, "GET", `http://${host}:8787${path}`);
      const { status, body } = withEnvelope(answer);
      expect.soft([status, body.errorCode], `${host}${path}`).toEqual([403, "FORBIDDEN"]);
    }
  });

  test.each(["localhost", "127.0.0.1", "[::1]", "localhost:8787"])("answers to %s", async (host) => {
    expect((await local(nobody, "GET", `http://${host}/health`)).status).toBe(200);
  });

  test("goes by the Host header, whatever the address says", async () => {
    const headers = { Host: "evil.example" };
    const { status } = await local(nobody, "GET", "http://localhost:8787/api.json", { headers });
    expect(status).toBe(403);
  });
});
