// The operator's command for accounts and their keys. Answers are JSON lines on stdout, lists a table on a terminal; nothing else is.
import { runAccount } from "./account/run.ts";
import { anywhere } from "./account/where.ts";

process.exitCode = await runAccount(process.argv.slice(2), anywhere, {
  print: (text) => console.log(text),
  say: (text) => console.error(text),
  isTerminal: process.stdout.isTTY === true,
});
