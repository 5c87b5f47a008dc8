// The operator's command for accounts and their keys. Answers are JSON lines on stdout, lists a table on a terminal; nothing else is.
import { runAccount } from "./account/run.ts";

process.exitCode = await runAccount(process.argv.slice(2), {
  print: (text) => console.log(text),
  say: (text) => console.error(text),
  isTerminal: process.stdout.isTTY === true,
});
