/** The host reads its settings from the environment, names the one that is wrong, and hands messages over as wrangler.toml says. */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { queueSettings } from "../../src/host/queues/settings.ts";
import { localDevelopment, readSettings, secretsIn, withSecrets } from "../../src/host/settings.ts";
import { newFolder } from "./process.ts";

const address = "http://127.0.0.1:8787";
const toml = readFileSync("wrangler.toml", "utf8");

test("without a public address this machine alone is served, as by local development", () => {
  const { settings } = readSettings({}, address);
  expect(settings).toEqual({ ...localDevelopment, PUBLIC_URL: address });
  const [, vars = ""] = /^\[vars\]\n([^[]*)/m.exec(toml) ?? [];
  for (const [name, value] of Object.entries(localDevelopment))
    expect(vars).toContain(`${name} = "${value}"`);
});

test("with a public address it is a production deployment, unless the environment says otherwise", () => {
  const PUBLIC_URL = "https://shop.example";
  expect(readSettings({ PUBLIC_URL }, address).settings).toEqual({ ENVIRONMENT: "production", PUBLIC_URL });
  const staging = readSettings({ PUBLIC_URL, ENVIRONMENT: "staging", HOME: "/root" }, address);
  expect(staging).toEqual({ settings: { ENVIRONMENT: "staging", PUBLIC_URL }, trustProxy: false });
});

test.each<[Record<string, string>, string]>([
  [{ PUBLIC_URL: "http://shop.example" }, "must begin with https://"],
  [{ STORE_CREDENTIALS_KEY: "short" }, "STORE_CREDENTIALS_KEY"],
  [{ TRUST_PROXY: "yes" }, "TRUST_PROXY must be on or off"],
  [{ OPERATOR_KEY_FILE: "/nowhere/at/all" }, "OPERATOR_KEY_FILE: "],
  [{ OPERATOR_KEY_FILE: "/x", OPERATOR_KEY: "o".repeat(40) }, "do not go together"],
  [{ LIBSQL_URL: "libsql://x" }, "LIBSQL_URL is not read here"],
])("%j is refused, and the setting named", (variables, words) => {
  expect(() => readSettings(variables, address)).toThrow(words);
});

test("a setting may stand in a file that NAME_FILE names", () => {
  const file = `${newFolder()}/key`;
  writeFileSync(file, `${"o".repeat(40)}\n`);
  expect(readSettings({ OPERATOR_KEY_FILE: file }, address).settings.OPERATOR_KEY).toBe("o".repeat(40));
});

test("a secret is made once, where nobody set it", () => {
  const data = newFolder();
  let made = 0;
  const secrets = { OPERATOR_KEY: () => `made-${++made}`, JWT_PRIVATE_JWK: () => `made-${++made}` };
  const open = (settings: Record<string, string>) => withSecrets(settings, { data, secrets, log: () => {} });
  expect(open({ OPERATOR_KEY: "mine" })).toEqual({ OPERATOR_KEY: "mine", JWT_PRIVATE_JWK: "made-1" });
  expect(open({})).toEqual({ OPERATOR_KEY: "made-2", JWT_PRIVATE_JWK: "made-1" });
  expect(open({})).toEqual(secretsIn(data));
});

test.each(["", "staging-", "production-"])(
  "queues are as those of perennial-%s in wrangler.toml",
  (place) => {
    const consumers = toml.split(/\[\[(?:env\.\w+\.)?queues\.consumers\]\]/).slice(1);
    for (const [queue, settings] of Object.entries(queueSettings)) {
      const its = queue.replace("perennial-", `perennial-${place}`);
      const text = consumers.find((each) => each.startsWith(`\nqueue = "${its}"\n`)) ?? "";
      for (const [name, value] of Object.entries(settings)) {
        const wanted = typeof value === "string" ? value.replace("perennial-", `perennial-${place}`) : value;
        expect(text, its).toContain(`${name} = ${JSON.stringify(wanted)}\n`);
      }
    }
  },
);
