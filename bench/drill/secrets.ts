import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { root } from "../../scripts/paths.ts";
import { demoShop } from "../../src/base/demo.ts";
import { callerOf } from "../cases.ts";
import { type Demo, type Found, openDemo, seconds } from "./demo.ts";

/** Each secret of the deployment is replaced as docs/run/secrets.md says, under load. */
export async function drillSecrets(program: string, length: number): Promise<Found> {
  const demo = await openDemo(program);
  const faults: string[] = [];
  for (const replace of [replaceSigningKey, replaceCredentialsKey, replaceOperatorKey, replaceApiKey])
    faults.push(...(await replace(demo, length)));
  const { figures, faults: others } = await demo.close();
  return { figures: `4 secrets replaced, ${figures}`, faults: [...faults, ...others] };
}

/** A token outlives the promotion of another key, and ends when its own key is pruned. */
async function replaceSigningKey({ machine, state, work }: Demo, length: number): Promise<string[]> {
  const faults: string[] = [];
  const old = state.caller;
  for (const step of ["--add", "--promote", "--prune"]) {
    const JWT_PRIVATE_JWK = changed("signing-key", step, machine.environment().JWT_PRIVATE_JWK);
    await machine.restart({ env: { JWT_PRIVATE_JWK } });
    const status = await statusOf(`${machine.address}/api/subscriptions/orders?limit=1`, old.both);
    const expected = step === "--prune" ? 401 : 200;
    if (status !== expected) faults.push(`after signing-key ${step} a token from before got ${status}`);
    state.caller = await callerOf(machine.address);
    faults.push(...(await work(seconds(length))));
  }
  return faults;
}

/** Everything that was sealed is sealed anew before the old key goes; events are signed all the while. */
async function replaceCredentialsKey({ machine, work }: Demo, length: number): Promise<string[]> {
  const faults: string[] = [];
  const replace = async (step: string): Promise<void> => {
    const now = machine.environment().STORE_CREDENTIALS_KEY;
    await machine.restart({ env: { STORE_CREDENTIALS_KEY: changed("credentials-key", step, now) } });
    faults.push(...(await work(seconds(length))));
  };
  await replace("--add");
  const resealed = (await machine.run("account", "reseal-credentials")).trim().split("\n");
  for (const line of resealed)
    if (JSON.parse(line).not_opened?.length > 0) faults.push(`reseal-credentials: ${line}`);
  await replace("--prune");
  const health = await statusOf(`${machine.address}/health`, {});
  if (health !== 200) faults.push(`/health is ${health} with the new credentials key alone`);
  return faults;
}

async function replaceOperatorKey({ machine, operatorKey }: Demo): Promise<string[]> {
  const OPERATOR_KEY = randomBytes(32).toString("base64");
  await machine.restart({ env: { OPERATOR_KEY } });
  const statusWith = (key: string) =>
    statusOf(`${machine.address}/metrics`, { Authorization: `Bearer ${key}` });
  const statuses = [await statusWith(OPERATOR_KEY), await statusWith(operatorKey)];
  return statuses.join() === "200,404" ? [] : [`/metrics with the new and the old key: ${statuses}`];
}

/** Caches of keys are 30 seconds old at most. */
async function replaceApiKey({ machine }: Demo): Promise<string[]> {
  const made = JSON.parse(
    await machine.run("account", "key", "create", "--shop", demoShop, "--name", "Drill"),
  );
  const status = () =>
    statusOf(`${machine.address}/api/subscriptions?limit=1`, { "X-API-Key": made.api_key });
  const before = await status();
  await machine.run("account", "key", "revoke", "--key", made.key_id);
  for (const until = Date.now() + 40_000; (await status()) !== 401; await wait(1000))
    if (Date.now() > until) return ["a key is still accepted 40 seconds after it was revoked"];
  return before === 200 ? [] : [`a new key got ${before}`];
}

function changed(script: string, step: string, now = ""): string {
  const { stdout, stderr } = spawnSync(process.execPath, [`${root}scripts/${script}.ts`, step], {
    ...{ input: now, encoding: "utf8" },
  });
  if (stdout === "") throw new Error(stderr);
  return stdout.trim();
}

async function statusOf(url: string, headers: Record<string, string>): Promise<number> {
  const answer = await fetch(url, { headers });
  await answer.text();
  return answer.status;
}
