import { d1Db } from "../../src/base/db/client.ts";
import { addressOf } from "../../src/host/address.ts";
import { openD1 } from "../../src/host/d1.ts";
import { openBeside } from "../../src/host/data.ts";
import { secretsIn } from "../../src/host/settings.ts";
import { log } from "../../src/kit/context.ts";
import { UsageError } from "../account/options.ts";
import { type Place, runAccount } from "../account/run.ts";

export async function accountCommand(args: string[]): Promise<void> {
  process.exitCode = await runAccount(withData(args), oneMachine, {
    print: (text) => console.log(text),
    say: (text) => console.error(text),
    isTerminal: process.stdout.isTTY === true,
  });
}

/** The data of one machine, beside the process that serves them or without. */
const oneMachine: Place = {
  program: "node perennial.mjs account",
  where: "--data DIR, ./data by default",
  takes: ["data"],
  async open({ data = folder, engine }) {
    if (engine === "object")
      throw new UsageError("--engine object is for Cloudflare: one machine has one file");
    const known = { OPERATOR_URL: addressOf(data), ...secretsIn(data) };
    for (const [name, value] of Object.entries(known)) if (value) process.env[name] ??= value;
    return d1Db(openD1(openBeside(data, log)));
  },
  refusals: {
    move: "One machine keeps all accounts in one file: there is no other engine to move to",
    restore: "One machine is restored as a whole: node perennial.mjs restore FILE",
  },
};

const folder = "./data";

/** An account of one machine is never one of the local development server. */
function withData(args: string[]): string[] {
  const isNamed = args.some((each) => each === "--data" || each.startsWith("--data="));
  return isNamed || args.length === 0 || args.includes("--help") ? args : [...args, "--data", folder];
}
