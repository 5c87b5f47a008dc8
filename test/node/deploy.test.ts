import { readFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { refusalOf } from "../../scripts/deploy/refusal.ts";

const toml = readFileSync("wrangler.toml", "utf8");
const zero = "00000000-0000-0000-0000-000000000000";
const withDatabases = toml.replaceAll(zero, "8f6d2f1e-2f0a-4a50-9a55-0d3b7b0f1c11");
const listing = (...names: string[]) => {
  const stdout = JSON.stringify(names.map((name) => ({ name, type: "secret_text" })));
  return vi.fn(() => ({ ok: true, stdout, stderr: "" }));
};
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
