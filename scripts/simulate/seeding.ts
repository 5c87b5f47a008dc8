import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import type { Replacement } from "../../simulator/seeded-bug.ts";
import { root } from "../paths.ts";

/** Has the exports of the modules of src that are loaded from now on in this thread be replaceable. */
export function makeReplaceable(): void {
  const source = pathToFileURL(`${root}src/`).href;
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context);
      if (!url.startsWith(source) || !url.endsWith(".ts")) return loaded;
      return { ...loaded, source: replaceable(Buffer.from(loaded.source as Uint8Array).toString()) };
    },
  });
}

/** Replaces exports by others, for everything in this thread that calls them: also for their own module, and for tables that have them. */
export function replaceExports(replacements: Replacement[]): void {
  for (const { of, by } of replacements) {
    const own = exports.get(of);
    if (!own) throw new Error(`This is no export of src: ${of}`);
    own.set(by(own.original));
  }
}

/** Tells, as a module is loaded, of one of its exports. An object is replaced where it is, as tables of other modules have it already. */
export function register(exported: unknown, original: unknown, set: (value: unknown) => void): void {
  if (typeof exported === "function") exports.set(exported, { original, set });
  else if (exported instanceof Object)
    exports.set(exported, {
      original: { ...exported },
      set: (value) => Object.assign(exported, value),
    });
}

const exports = new Map<unknown, { original: unknown; set: (value: unknown) => void }>();

/**
 * The text of a module whose exported functions call what stands in for them, and whose exported constants are variables. A function that
 * is declared is called through another, so that whoever has taken it before a replacement calls the replacement, too.
 */
function replaceable(text: string): string {
  const constants: string[] = [];
  const functions = new Set<string>();
  const changed = text
    .replaceAll(/^export const (\w+)/gm, (_, name: string) => {
      constants.push(name);
      return `export let ${name}`;
    })
    .replaceAll(/^export ((?:async )?function\*?) (\w+)/gm, (_, kind: string, name: string) => {
      functions.add(name);
      return `${kind} ${name}$original`;
    });
  const registered = [
    ...[...functions].map(
      (name) =>
        `var ${name}$by = ${name}$original; export function ${name}() { return (${name}$by ?? ${name}$original).apply(this, arguments); } $register(${name}, ${name}$original, (by) => { ${name}$by = by; });`,
    ),
    ...constants.map((name) => `$register(${name}, ${name}, (by) => { ${name} = by; });`),
  ];
  return [changed, `import { register as $register } from "${import.meta.url}";`, ...registered].join("\n");
}
