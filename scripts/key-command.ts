import { readFileSync } from "node:fs";
import { commandLine, refuse } from "./command-line.ts";
import { SettingError } from "./keys.ts";

type Steps = Record<string, (setting: string) => Promise<string>>;

/** Prints a fresh key; or, with a step such as --add, what becomes of the setting that stands on standard input. */
export async function runKeyCommand(
  usage: string,
  fresh: () => string | Promise<string>,
  steps: Steps,
): Promise<void> {
  const names = Object.keys(steps);
  const options = Object.fromEntries(names.map((name) => [name, { type: "boolean" as const }]));
  const { values } = commandLine({ usage, options });
  const [chosen, ...more] = names.filter((name) => values[name]);
  if (chosen === undefined) return console.log(await fresh());
  if (more.length > 0) return refuse(`--${chosen} and --${more[0]} do not go together`);
  console.log(await steps[chosen]?.(readFileSync(standardInput, "utf8").trim()).catch(refuseSetting));
}

const standardInput = 0;

/** Ends the command with nothing on standard output. */
function refuseSetting(error: unknown): never {
  if (!(error instanceof SettingError)) throw error;
  console.error(error.message);
  process.exit(1);
}
