/** A deployment is refused before the network is asked where its settings are wrong, and is proven healthy after. */
import { readFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { findHealthFault } from "../../scripts/deploy/health.ts";
import { refusalOf } from "../../scripts/deploy/refusal.ts";

const toml = readFileSync("wrangler.toml", "utf8");
const zero = "00000000-0000-0000-0000-000000000000";
const publicUrl = "https://subscriptions.example.com";

function withUrl(text: string, url: string) {
  return text.replaceAll(/^PUBLIC_URL = ""$/gm, `PUBLIC_URL = "${url}"`);
}
const withoutUrls = toml.replaceAll(zero, "8f6d2f1e-2f0a-4a50-9a55-0d3b7b0f1c11");
const withDatabases = withUrl(withoutUrls, publicUrl);

function listing(...names: string[]) {
  const stdout = JSON.stringify(names.map((name) => ({ name, type: "secret_text" })));
  return vi.fn(() => ({ ok: true, stdout, stderr: "" }));
}
const all = listing("JWT_PRIVATE_JWK", "STORE_CREDENTIALS_KEY");

describe("npm run deploy refuses", () => {
  test.each([undefined, "local", "production ", "constructor"])("the environment %j", (env) => {
    expect(refusalOf({ env, toml: withDatabases, listSecrets: all })).toContain("staging or production");
  });

  test("an environment without a database, before the network is asked", () => {
    const listSecrets = listing();
    expect(refusalOf({ env: "production", toml, listSecrets })).toContain("no database_id for production");
    expect(listSecrets).not.toHaveBeenCalled();
  });

  test.each([
    ["", "is not set"],
    ["http://127.0.0.1:8787", "must begin with https://"],
    ["https://subscriptions.example.com/", "must be an origin alone"],
  ])("an environment whose public address is %j", (url, reason) => {
    const refusal = refusalOf({ env: "staging", toml: withUrl(withoutUrls, url), listSecrets: all });
    expect(refusal).toContain(`PUBLIC_URL of staging in wrangler.toml ${reason}`);
  });

  test("an environment whose public address is another's", () => {
    const onlyStaging = withoutUrls.replace('PUBLIC_URL = ""', `PUBLIC_URL = "${publicUrl}"`);
    expect(refusalOf({ env: "staging", toml: onlyStaging, listSecrets: all })).toBeUndefined();
    expect(refusalOf({ env: "production", toml: onlyStaging, listSecrets: all })).toContain("is not set");
  });

  test("an environment whose credentials key is not set, or another's name", () => {
    for (const names of [[], ["JWT_PRIVATE_JWK"], ["OLD_STORE_CREDENTIALS_KEY"]])
      expect(refusalOf({ env: "staging", toml: withDatabases, listSecrets: listing(...names) })).toBe(
        'STORE_CREDENTIALS_KEY is not set for staging (README, "Deploying")',
      );
  });

  test("when the secrets cannot be listed, with the reason", () => {
    const listSecrets = () => ({ ok: false, stdout: "", stderr: "You are not logged in.\n" });
    expect(refusalOf({ env: "staging", toml: withDatabases, listSecrets })).toBe(
      "The secrets of staging cannot be listed: You are not logged in.",
    );
  });
});

test("an environment with a database and the key may be deployed", () => {
  expect(refusalOf({ env: "production", toml: withDatabases, listSecrets: all })).toBeUndefined();
  expect(all).toHaveBeenCalledWith("production");
});

describe("what was deployed is asked for its health at its public address", () => {
  const healthAfter = (...statuses: (number | "unreachable")[]) => {
    const asked: string[] = [];
    const fetch = async (url: string | URL | Request) => {
      const status = statuses[asked.push(String(url)) - 1] ?? statuses.at(-1)!;
      if (status === "unreachable") throw new Error("ENOTFOUND");
      return new Response(null, { status });
    };
    const fault = findHealthFault({ url: publicUrl, fetch, tries: 3, pauseMs: 0 });
    return fault.then((found) => ({ fault: found, asked }));
  };

  test("one that serves in the end has no fault", async () => {
    expect(await healthAfter("unreachable", 500, 200)).toEqual({
      fault: undefined,
      asked: Array.from({ length: 3 }, () => `${publicUrl}/health`),
    });
  });

  test.each([
    [500, "answers 500"],
    [308, "answers 308"],
    ["unreachable" as const, "cannot be reached"],
  ])("one that only answers %s has, which a wrong secret is among", async (status, fault) => {
    expect((await healthAfter(status)).fault).toBe(`${publicUrl}/health ${fault}`);
  });
});
