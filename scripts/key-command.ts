import { readFileSync } from "node:fs";

type Steps = Record<string, (setting: string) => Promise<string>>;

const standardInput = 0;

/** Prints a fresh key; or, with a step such as --add, what becomes of the setting that stands on standard input. */
export async function runKeyCommand(fresh: () => string | Promise<string>, steps: Steps): Promise<void> {
  const [flag, ...more] = process.argv.slice(2);
  if (flag === undefined) return console.log(await fresh());
  const name = flag.replace(/^--/, "");
  const step = Object.hasOwn(steps, name) ? steps[name] : undefined;
  if (!step || more.length > 0) {
    const flags = Object.keys(steps).map((each) => `--${each}`);
    console.error(`Without arguments, or ${flags.join(" or ")} with the present setting on standard input`);
    process.exitCode = 2;
    return;
  }
  console.log(await step(readFileSync(standardInput, "utf8").trim()));
}
