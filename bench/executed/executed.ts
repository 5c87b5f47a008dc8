import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import type { Script } from "../build.ts";
import { makeFile } from "../database.ts";

/**
 * The work of one request: the characters of minified code that it executes, each as often as it is executed, and those of JSON that it reads
 * and writes. Both are the same each time and on every machine, where instructions and times are not.
 */
export type Executed = { code: number; json: number };

/** Counts what each of the hot requests executes of a script, within Node on a database of the demo store. */
export async function countExecuted(script: Script): Promise<Record<string, Executed>> {
  const folder = mkdtempSync(`${tmpdir()}/executed-`);
  try {
    const [module, file] = [`${folder}/worker.js`, `${folder}/demo.sqlite`];
    writeFileSync(`${folder}/package.json`, '{ "type": "module" }');
    for (const [name, text] of Object.entries(script)) writeFileSync(`${folder}/${name}`, text);
    await makeFile(file, subscriptions, new Date(now));
    const counter = `${import.meta.dirname}/count.ts`;
    const printed = execFileSync(process.execPath, [counter, module, file, now], { encoding: "utf8" });
    return JSON.parse(printed);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const now = "2026-11-20T12:00:00.000Z";
/** Those of the demo store, and some that nothing else is done to, which the writes are about. */
const subscriptions = 150;
