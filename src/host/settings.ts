import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { type Bindings, parseEnv, settingNames } from "../base/env.ts";
import type { Log } from "../base/lib/log.ts";
import { ownerAlone } from "./data.ts";

type Variables = Record<string, string | undefined>;

/** The settings of the Worker, as texts, and those that only the host has. */
type HostSettings = { settings: Record<string, string>; trustProxy: boolean };

/**
 * The settings of an environment. A setting may stand in a file that NAME_FILE names, as secrets of containers do. Throws naming the
 * setting that is wrong.
 *
 * Without a PUBLIC_URL the host serves this machine alone, as local development does: it says of itself that it is local.
 */
export function readSettings(variables: Variables, address: string): HostSettings {
  const given: Record<string, string> = Object.fromEntries(
    settingNames.flatMap((name) => {
      const value = textOf(variables, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const place = given.PUBLIC_URL
    ? { ENVIRONMENT: "production" }
    : { ...localDevelopment, PUBLIC_URL: address };
  const settings: Record<string, string> = { ...place, ...given };
  parseEnv({ ...settings } as unknown as Bindings);
  if (settings.LIBSQL_URL !== undefined)
    throw new Error("LIBSQL_URL is not read here: the database is a file in the folder of the data");
  return { settings, trustProxy: onOrOff(variables, "TRUST_PROXY") };
}

/** The variables of wrangler.toml's top level. */
export const localDevelopment = {
  ENVIRONMENT: "local",
  TEST_CLOCKS: "on",
  RATE_LIMIT_PER_KEY: "100000",
  RATE_LIMIT_PER_ADDRESS: "100000",
};

/**
 * The settings with the secrets that nobody set: those are made at the first start and kept beside the data, in a file that its owner alone
 * reads.
 */
export function withSecrets(
  settings: Record<string, string>,
  { data, secrets, log }: { data: string; secrets: Record<string, () => string>; log: Log },
): Record<string, string> {
  const kept = secretsIn(data);
  const missing = Object.entries(secrets).filter(([name]) => !settings[name] && !kept[name]);
  if (missing.length > 0) {
    for (const [name, make] of missing) kept[name] = make();
    const file = fileIn(data);
    writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`, { mode: ownerAlone });
    const advice = "copy this file to a safe place: nothing else opens what was sealed with its keys";
    log("secrets_made", { file, names: missing.map(([name]) => name), advice });
  }
  return { ...kept, ...settings };
}

/** The secrets that were made for the data in a folder. */
export function secretsIn(data: string): Record<string, string> {
  return existsSync(fileIn(data)) ? JSON.parse(readFileSync(fileIn(data), "utf8")) : {};
}

function fileIn(data: string): string {
  return `${data}/keys.json`;
}

function textOf(variables: Variables, name: string): string | undefined {
  const file = variables[`${name}_FILE`];
  if (file === undefined || file === "") return variables[name] || undefined;
  if (variables[name]) throw new Error(`${name} and ${name}_FILE do not go together`);
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new Error(`${name}_FILE: ${(error as Error).message}`);
  }
}

function onOrOff(variables: Variables, name: string): boolean {
  const value = variables[name] || "off";
  if (value !== "on" && value !== "off") throw new Error(`${name} must be on or off`);
  return value === "on";
}
