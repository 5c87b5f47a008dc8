// `perennial.mjs`: all that one machine needs, in one file (docs/run/one-machine.md).

import { accountCommand } from "./account.ts";
import { backUpCommand, restoreCommand } from "./copies.ts";
import { serveCommand } from "./serve.ts";

const usage = `Usage: node perennial.mjs COMMAND

  serve    --data ./data [--port 8787] [--host 127.0.0.1] [--demo]  serves everything; makes and migrates the data where needed
  account  …  --data ./data   accounts and their keys; account --help lists its commands
  backup   FILE  --data ./data  copies the database to a new file, also while it is served
  restore  FILE  --data ./data  puts such a copy in its place; nothing may serve it meanwhile

Settings are read from the environment: PUBLIC_URL, the https address of the deployment, above all. docs/run/settings.md lists them.`;

const commands: Record<string, (args: string[]) => Promise<void>> = {
  ...{ serve: serveCommand, account: accountCommand },
  ...{ backup: backUpCommand, restore: restoreCommand },
};

const [name = "--help", ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command) await command(args).catch(fail);
else {
  const isHelp = ["--help", "-h"].includes(name);
  console[isHelp ? "log" : "error"](isHelp ? usage : `No such command: "${name}"; --help lists them`);
  process.exitCode = isHelp ? 0 : 2;
}

/** A refusal in one line; nothing is served then. */
function fail(error: Error): void {
  console.error(error.message);
  process.exit(1);
}
