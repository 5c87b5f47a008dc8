import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import type { Edit, Mutant } from "../../simulator/mutants/edits.ts";
import { root } from "../paths.ts";

/** In the project, so that packages are found; ignored by git. */
const folder = `${root}.simulate/`;
const copied = ["src", "simulator", "migrations", "scripts", "test", "package.json", "tsconfig.json"];
const shared = ["public", "wrangler.toml", "wrangler.env", "vitest.config.ts", "worker-configuration.d.ts"];

/** A copy of the project, in which one mutant after the other is tried. */
export type Copy = {
  folder: string;
  apply: (mutant: Mutant) => void;
  /** Takes the mutant out again. */
  restore: () => void;
  remove: () => void;
};

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
      const texts = editedTexts(mutant);
      for (const [file, text] of texts) writeFileSync(`${copy}${file}`, text);
      changed = [...texts.keys()];
    },
    restore() {
      for (const file of changed) cpSync(`${root}${file}`, `${copy}${file}`);
      changed = [];
    },
    remove,
  };
}

/** Throws unless each text that the mutant replaces occurs exactly once. */
export function requireUpToDate(mutant: Mutant): void {
  editedTexts(mutant);
}

/** The files that a mutant changes, with their texts after it. */
function editedTexts({ name, edits }: Mutant): Map<string, string> {
  const texts = new Map<string, string>();
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
