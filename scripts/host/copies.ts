import { d1Db } from "../../src/base/db/client.ts";
import { afterRestore } from "../../src/edges/operator/after-restore.ts";
import { backUp, restore } from "../../src/host/back-up.ts";
import { openD1 } from "../../src/host/d1.ts";
import { openBeside } from "../../src/host/data.ts";
import { log } from "../../src/kit/context.ts";
import { commandLine, refuse } from "../command-line.ts";

export async function backUpCommand(args: string[]): Promise<void> {
  const { data, file } = read(
    args,
    "backup",
    "Copies the database to a new file, as it is at one moment, while it is served.",
  );
  backUp(data, file);
  console.log(JSON.stringify({ data, file }));
}

export async function restoreCommand(args: string[]): Promise<void> {
  const { data, file } = read(
    args,
    "restore",
    "Puts a copy in the place of the database, which stays beside it. Numbers of events go up, and stores are sent all again.",
  );
  const { kept } = restore(data, file, new Date());
  const sqlite = openBeside(data, log);
  const accounts = await afterRestore(d1Db(openD1(sqlite)));
  sqlite.close();
  console.log(JSON.stringify({ data, file, kept, accounts }));
}

function read(args: string[], name: string, does: string): { data: string; file: string } {
  const { values, positionals } = commandLine(
    {
      usage: `Usage: node perennial.mjs ${name} FILE [--data ./data]\n\n${does}`,
      options: { data: { type: "string", default: "./data" } },
      positionals: true,
    },
    args,
  );
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) return refuse(`${name} takes one FILE`);
  return { data: values.data, file };
}
