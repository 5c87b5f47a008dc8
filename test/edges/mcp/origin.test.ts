/** No page of another origin and no other host name can call the MCP endpoint. */
import { describe, expect, test } from "vitest";
import { type api, deployment, nobody, origin } from "../../support/client.ts";
import { expectSafeHeaders } from "../../support/conform.ts";
import { message, refused, toolCall, useMcpWorld } from "./session.ts";

const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const { caller } = useMcpWorld();

describe("Origin: a page of another origin may not call", () => {
  const withOrigin = (text: string, more: object = {}) => ({ headers: { Origin: text }, ...more });
  test.each([
    "https://evil.example",
    "null",
    "http://localhost:1",
    "https://localhost",
    "http://localhost.evil.example",
    "http://127.0.0.1",
  ])("%j is 403, whatever the request is", async (text) => {
    for (const body of [list, toolCall("listSkipReasons", {}), { ...list, method: "nothing" }]) {
      const answer = await message(caller, body, withOrigin(text));
      expect(refused(answer)).toEqual([403, "FORBIDDEN"]);
      expectSafeHeaders("/mcp", answer);
    }
  });

  test("its own origin passes, and so do callers without one", async () => {
    expect((await message(nobody, list, withOrigin("http://localhost"))).status).toBe(200);
    expect((await message(nobody, list)).status).toBe(200);
  });

  test("origins in ALLOWED_ORIGINS pass, and browsers may read the response; no other origin may", async () => {
    const send = deployment({ ENVIRONMENT: "production", ALLOWED_ORIGINS: "https://agents.example" });
    const options = { send: send as typeof api, path: `${origin}/mcp` };
    const passed = await message(nobody, list, withOrigin("https://agents.example", options));
    expect(passed.status).toBe(200);
    expect(passed.headers.get("Access-Control-Allow-Origin")).toBe("https://agents.example");
    const other = await message(nobody, list, withOrigin("https://agents.example.evil", options));
    expect(refused(other)).toEqual([403, "FORBIDDEN"]);
    expect(other.headers.get("Access-Control-Allow-Origin")).toBeNull();
  });

  test("a browser of an allowed origin may send the protocol's own headers", async () => {
    const send = deployment({ ENVIRONMENT: "production", ALLOWED_ORIGINS: "https://agents.example" });
    const { status, headers } = await send(nobody, "OPTIONS", `${origin}/mcp`, {
      headers: {
        Origin: "https://agents.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "mcp-protocol-version,mcp-method,mcp-name",
      },
    });
    expect(status).toBe(204);
    const allowed = headers.get("Access-Control-Allow-Headers")?.toLowerCase().split(/, */);
    for (const name of ["mcp-protocol-version", "mcp-method", "mcp-name"]) expect(allowed).toContain(name);
  });
});

describe("Host: the local server answers to its own name only", () => {
  const local = deployment({ ENVIRONMENT: "local" }) as typeof api;

  test.each([
    "evil.example",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "169.254.169.254",
    "10.0.0.1",
  ])("%s is 403", async (host) => {
    const options = { send: local, path: `http://${host}:8787/mcp` };
    const answer = await message(caller, toolCall("listSkipReasons", {}), options);
    expect(refused(answer)).toEqual([403, "FORBIDDEN"]);
  });

  test.each(["localhost", "127.0.0.1", "[::1]", "localhost:8787", "127.0.0.1:18941", "[::1]:8787"])(
    "%s passes",
    async (host) => {
      const options = { send: local, path: `http://${host}/mcp` };
      expect((await message(nobody, list, options)).status).toBe(200);
    },
  );

  test("a deployment accepts any host name", async () => {
    const send = deployment({ ENVIRONMENT: "production" });
    const path = "https://subscriptions.example/mcp";
    expect((await message(nobody, list, { send: send as typeof api, path })).status).toBe(200);
  });
});
