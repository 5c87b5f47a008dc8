import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import type { Edit, Mutant } from "../../simulator/mutants/edits.ts";
import { root } from "../paths.ts";
import type { SeededFiles } from "./seeded-files.ts";

export function newCopy(nth: number): Copy {
  const copy = `${folder}${nth}/`;
  const remove = () => rmSync(copy, { recursive: true, force: true });
  remove();
  mkdirSync(copy, { recursive: true });
  for (const name of copied) cpSync(`${root}${name}`, `${copy}${name}`, { recursive: true });
  for (const name of shared) symlinkSync(`${root}${name}`, `${copy}${name}`);
  let changed: string[] = [];
  return {
    folder: copy,
    apply(mutant) {
      const files = mutatedFiles(mutant);
      for (const [file, text] of files) writeFileSync(`${copy}${file}`, text);
      changed = [...files.keys()];
    },
    restore() {
      for (const file of changed) cpSync(`${root}${file}`, `${copy}${file}`);
      changed = [];
    },
    remove,
  };
}

/** The files that a mutant changes, with their texts after it. Throws unless each text that it replaces occurs exactly once. */
export function mutatedFiles({ name, edits }: Mutant): SeededFiles {
  const texts: SeededFiles = new Map();
  for (const edit of edits) {
    const text = texts.get(edit.file) ?? readFileSync(`${root}${edit.file}`, "utf8");
    texts.set(edit.file, edited(text, name, edit));
  }
  return texts;
}

/** In the project, so that packages are found; ignored by git. */
const folder = `${root}.simulate/`;
/** The tests' configuration too: from behind a link it would read the migrations of the project. */
const copied = [
  ...["src", "simulator", "migrations", "scripts", "test", "bundle"],
  ...["package.json", "tsconfig.json", "vitest.config.ts"],
];
const shared = ["public", "wrangler.toml", "wrangler.env", "worker-configuration.d.ts"];

/** A copy of the project, in which the tests are run with one mutant after the other. */
export type Copy = {
  folder: string;
  apply: (mutant: Mutant) => void;
  /** Takes the mutant out again. */
  restore: () => void;
  remove: () => void;
};

function edited(text: string, name: string, { file, find, replace }: Edit): string {
  const pieces = text.split(find);
  if (pieces.length === 2) return pieces.join(replace);
  throw new Error(`"${name}" is out of date: ${file} has its text ${pieces.length - 1} times: ${find}`);
}
