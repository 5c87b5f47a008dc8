import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import type { Edit, Mutant } from "../../simulator/mutants/edits.ts";
import { root } from "../paths.ts";

/** Texts of files, by their path in the project, that stand in for what is on the disk. */
export type SeededFiles = Map<string, string>;

/** The text of a file, with the bug that is seeded in it. */
export function textOf(file: string): string {
  return seeded.get(file) ?? readFileSync(`${root}${file}`, "utf8");
}

/** Has modules that are loaded from now on in this thread made from these texts. */
export function seedFiles(files: SeededFiles): void {
  seeded = files;
  const texts = new Map([...files].map(([file, text]) => [pathToFileURL(`${root}${file}`).href, text]));
  registerHooks({
    load: (url, context, next) => {
      const source = texts.get(url);
      return source === undefined ? next(url, context) : { ...next(url, context), source };
    },
  });
}

let seeded: SeededFiles = new Map();

/** The files that a mutant changes, with their texts after it. Throws unless each text that it replaces occurs exactly once. */
export function mutatedFiles({ name, edits }: Mutant): SeededFiles {
  const texts: SeededFiles = new Map();
  for (const edit of edits) {
    const text = texts.get(edit.file) ?? readFileSync(`${root}${edit.file}`, "utf8");
    texts.set(edit.file, edited(text, name, edit));
  }
  return texts;
}

function edited(text: string, name: string, { file, find, replace }: Edit): string {
  const pieces = text.split(find);
  if (pieces.length === 2) return pieces.join(replace);
  throw new Error(`"${name}" is out of date: ${file} has its text ${pieces.length - 1} times: ${find}`);
}
