import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { refuse } from "../command-line.ts";
import { freePort } from "../free-port.ts";
import { root } from "../paths.ts";

const version = "v0.203.0";
const folder = `${root}.simulate/stripe-mock-${version}`;

/** Stripe's own stand-in, which knows the form of each request: it is built by the Go on this machine, once. */
export async function startMock(): Promise<{ address: string; end: () => void }> {
  if (!existsSync(`${folder}/stripe-mock`)) install();
  const [http, https] = [await freePort(), await freePort()];
  const args = ["-http-addr", `127.0.0.1:${http}`, "-https-addr", `127.0.0.1:${https}`];
  const mock: ChildProcess = spawn(`${folder}/stripe-mock`, args, { stdio: "ignore" });
  const address = `http://127.0.0.1:${http}`;
  for (let tries = 0; !(await answers(address)); tries++) {
    if (tries === 100) refuse("stripe-mock does not answer");
    await wait(100);
  }
  return { address, end: () => void mock.kill() };
}

function install(): void {
  console.error(`Building stripe-mock ${version} …`);
  try {
    const env = { ...process.env, GOBIN: folder };
    execFileSync("go", ["install", `github.com/stripe/stripe-mock@${version}`], { env, stdio: "inherit" });
  } catch {
    refuse("stripe-mock cannot be built: this command needs Go");
  }
}

function answers(address: string): Promise<boolean> {
  return fetch(address).then(
    () => true,
    () => false,
  );
}
