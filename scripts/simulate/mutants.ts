import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { mutants } from "../../simulator/mutants/all.ts";
import type { Edit, Mutant } from "../../simulator/mutants/edits.ts";
import { root } from "../paths.ts";
import type { Found } from "./batch.ts";

/** In the project, so that packages are found; ignored by git. */
const folder = `${root}.simulate/`;
const copied = ["src", "simulator", "migrations", "scripts", "test", "package.json", "tsconfig.json"];
const shared = ["public", "wrangler.toml", "wrangler.env", "vitest.config.ts", "worker-configuration.d.ts"];

type Options = { schedules: number; seed: number; workers: number; only: string | undefined };
type Row = { mutant: Mutant; schedules: number; found: Found[]; testFails: boolean | undefined };

/** A text after an edit. Throws unless the text to replace occurs exactly once. */
const edited = (text: string, name: string, { file, find, replace }: Edit): string => {
  const pieces = text.split(find);
  if (pieces.length === 2) return pieces.join(replace);
  throw new Error(`"${name}" is out of date: ${file} has its text ${pieces.length - 1} times: ${find}`);
};

const apply = ({ name, edits }: Mutant, from: string, to?: string): void => {
  const texts = new Map<string, string>();
  for (const edit of edits) {
    const text = texts.get(edit.file) ?? readFileSync(`${from}${edit.file}`, "utf8");
    texts.set(edit.file, edited(text, name, edit));
  }
  if (to !== undefined) for (const [file, text] of texts) writeFileSync(`${to}${file}`, text);
};

/** A copy of the project with a mutant in it. */
const copyWith = (mutant: Mutant, nth: number): string => {
  const copy = `${folder}${nth}/`;
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  for (const name of copied) cpSync(`${root}${name}`, `${copy}${name}`, { recursive: true });
  for (const name of shared) symlinkSync(`${root}${name}`, `${copy}${name}`);
  apply(mutant, copy, copy);
  return copy;
};

const run = (args: string[], cwd: string): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    const env = { ...process.env, NO_COLOR: "1" };
    const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });

/** The seeds of the schedules that violate a rule, or any, in a copy of the project. */
const violating = async (
  copy: string,
  { platform = "ledger", rule }: Mutant,
  { seed }: Options,
  schedules: number,
): Promise<Found[]> => {
  const ruled = rule === undefined ? [] : ["--rule", rule];
  const args = ["--json", "--workers", "1", "--platform", platform, ...ruled];
  const numbers = ["--schedules", String(schedules), "--seed", String(seed)];
  const { output } = await run([`${copy}scripts/simulate.ts`, ...args, ...numbers], copy);
  const json = output.split("\n").find((line) => line.startsWith('{"run"'));
  if (json === undefined) throw new Error(`The simulator did not run:\n${output}`);
  return (JSON.parse(json) as { found: Found[] }).found;
};

/** Drops the violations that occur without the mutant too: they do not show that it was caught. */
const violatedByMutant = async (
  copy: string,
  mutant: Mutant,
  options: Options,
  schedules: number,
): Promise<Found[]> => {
  const found = await violating(copy, mutant, options, schedules);
  const caused: Found[] = [];
  for (const one of found) {
    if (caused.length < 3 && (await violating(root, mutant, { ...options, seed: one.seed }, 1)).length > 0)
      continue;
    caused.push(one);
  }
  return caused;
};

const vitest = (cwd: string, args: string[]): Promise<{ code: number; output: string }> =>
  run([`${root}node_modules/vitest/vitest.mjs`, "run", ...args], cwd);

/** Whether the named test fails. Another test that fails does not count; a test that does not exist is an error. */
const failsTest = async (copy: string, { file, test }: { file: string; test: string }): Promise<boolean> => {
  const { code, output } = await vitest(copy, [file, "-t", test, "--reporter=verbose"]);
  if (!output.includes(test)) throw new Error(`${file} has no test "${test}":\n${output}`);
  return code !== 0 && output.split("\n").some((line) => line.includes("FAIL") && line.includes(test));
};

/** Tests that must fail with a mutant have to pass without one. */
const requirePassing = async (chosen: Mutant[]): Promise<void> => {
  const files = chosen.flatMap(({ caughtBy }) => (caughtBy === "simulator" ? [] : [caughtBy.file]));
  if (files.length === 0) return;
  const { code, output } = await vitest(root, [...new Set(files)]);
  if (code !== 0) throw new Error(`The tests that catch mutants fail without a mutant:\n${output}`);
};

/** Half the schedules where a test catches the mutant: they only show that the simulator does not. */
const schedulesFor = ({ caughtBy, times = 1 }: Mutant, { schedules }: Options): number =>
  caughtBy === "simulator" ? schedules * times : Math.ceil(schedules / 2);

const judge = async (mutant: Mutant, nth: number, options: Options): Promise<Row> => {
  const copy = copyWith(mutant, nth);
  const schedules = schedulesFor(mutant, options);
  try {
    const { caughtBy } = mutant;
    const found = await violatedByMutant(copy, mutant, options, schedules);
    const testFails = caughtBy === "simulator" ? undefined : await failsTest(copy, caughtBy);
    return { mutant, schedules, found, testFails };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
};

const isCaught = ({ mutant, found, testFails }: Row): boolean =>
  mutant.caughtBy === "simulator" ? found.length > 0 : testFails === true;

const lineOf = (row: Row): string => {
  const { mutant, schedules, found, testFails } = row;
  const [first] = found;
  const simulator = first ? `seed ${first.seed}: ${first.violations[0]?.rule}` : "";
  const test =
    mutant.caughtBy === "simulator" ? "" : `test "${mutant.caughtBy.test}" ${testFails ? "fails" : "PASSES"}`;
  const share = `${found.length} of ${schedules}`.padStart(12);
  return `${isCaught(row) ? "caught    " : "NOT CAUGHT"}  ${mutant.name.padEnd(31)}${share}  ${simulator}${test && simulator && "; "}${test}`;
};

/** Seeds each bug in turn and prints what caught it. Returns whether all were caught. */
export const runMutants = async (options: Options): Promise<boolean> => {
  const chosen = mutants.filter(({ name }) => options.only === undefined || name.includes(options.only));
  for (const mutant of mutants) apply(mutant, root);
  await requirePassing(chosen);
  const waiting = [...chosen.entries()];
  const rows: Row[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const row = await judge(next[1], next[0], options);
      rows.push(row);
      console.log(lineOf(row));
    }
  };
  await Promise.all(Array.from({ length: options.workers }, work));
  const caught = rows.filter(isCaught).length;
  console.log(`\n${caught} of ${rows.length} seeded bugs are caught`);
  return caught === rows.length;
};
