import { findPublicUrlFault } from "../../src/base/lib/public-host.ts";

/** The outcome of a run of wrangler. */
export type Ran = { ok: boolean; stdout: string; stderr: string };
type Deployment = {
  env: string | undefined;
  /** The text of wrangler.toml. */
  toml: string;
  /** Runs `wrangler secret list` for the environment. */
  listSecrets: (env: string) => Ran;
};

/** Why a deployment must not begin; undefined if it may. */
export function refusalOf({ env, toml, listSecrets }: Deployment): string | undefined {
  // The top level of wrangler.toml is the local server: its limits and its demo key are not for the network.
  if (env !== "staging" && env !== "production") return "--env must be staging or production";
  if (!hasDatabase(toml, env))
    return `wrangler.toml holds no database_id for ${env} yet (docs/run/cloudflare.md)`;
  const fault = findDeployedUrlFault(variableOf(toml, env, "PUBLIC_URL"));
  if (fault !== undefined) return `PUBLIC_URL of ${env} in wrangler.toml ${fault} (docs/run/cloudflare.md)`;
  const { ok, stdout, stderr } = listSecrets(env);
  if (!ok) return `The secrets of ${env} cannot be listed: ${stderr.trim() || stdout.trim()}`;
  // Secrets are sealed with it: without it no webhook endpoint could be made, and none be sent an event.
  if (!names(stdout).includes("STORE_CREDENTIALS_KEY"))
    return `STORE_CREDENTIALS_KEY is not set for ${env} (docs/run/cloudflare.md)`;
  return undefined;
}

/** The value of an environment's variable; empty where wrangler.toml has none. */
export function variableOf(toml: string, env: string, name: string): string {
  return new RegExp(`^\\[env\\.${env}\\.vars\\][^[]*^${name} *= *"([^"]*)"`, "m").exec(toml)?.[1] ?? "";
}

function hasDatabase(toml: string, env: string): boolean {
  const [, id = ""] =
    new RegExp(`\\[\\[env\\.${env}\\.d1_databases\\]\\][^[]*database_id = "([^"]*)"`).exec(toml) ?? [];
  return /[^0-]/.test(id);
}

function findDeployedUrlFault(url: string): string | undefined {
  if (url === "") return "is not set";
  if (!url.startsWith("https://")) return "must begin with https://";
  return findPublicUrlFault(url);
}

function names(json: string): string[] {
  const listed = json.slice(json.indexOf("["));
  try {
    return (JSON.parse(listed) as { name: string }[]).map(({ name }) => name);
  } catch {
    return [];
  }
}
