import { globSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { gzipSync } from "node:zlib";
import { root } from "../scripts/paths.ts";
import type { Script } from "./build.ts";

export type Part = { name: string; kilobytes: number };

/** The bytes that each source file adds to a script. */
export type Modules = Record<string, number>;

/** As the platform counts it: all modules in one piece. */
export function gzipKilobytes(script: Script): number {
  return gzipSync(Object.values(script).join(""), { level: 9 }).length / 1024;
}

/** The part of a script that a start compiles: worker.js, and all that it imports. */
export function kilobytesAtStart(script: Script): number {
  const texts = [...loadedWith("worker.js", script)].map((name) => script[name] ?? "");
  return texts.join("").length / 1024;
}

/** A module and all that it imports; not what it may import later. */
function loadedWith(name: string, script: Script, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const imported of importsOf(script[name] ?? "")) loadedWith(imported, script, found);
  return found;
}

/** The modules that a module's text imports. */
export function importsOf(text: string): string[] {
  return [...text.matchAll(/\b(?:from|import)"\.\/([^"]+)"/g)].map(([, name = ""]) => name);
}

/** The characters of each source in the script that was built last, by its source maps. */
export function sizesOfSources(): Modules {
  const sizes: Modules = {};
  for (const path of globSync(`${root}build/worker/*.js.map`)) {
    const map = new SourceMap(JSON.parse(readFileSync(path, "utf8")));
    const script = readFileSync(path.replace(/\.map$/, ""), "utf8");
    for (const [line, text] of script.split("\n").entries())
      for (let column = 0; column < text.length; column++) {
        const found = map.findEntry(line, column);
        const source =
          ("originalSource" in found && found.originalSource) || "imports and exports of modules";
        sizes[source] = (sizes[source] ?? 0) + 1;
      }
  }
  return sizes;
}

/** The script's parts, the largest first: packages, and our own folders. Small parts are summed up. */
export function partsOf(modules: Modules, least = 4): Part[] {
  const sums = new Map<string, number>();
  for (const [path, bytes] of Object.entries(modules)) {
    const name = partOf(path);
    sums.set(name, (sums.get(name) ?? 0) + bytes / 1024);
  }
  const parts = [...sums].map(([name, kilobytes]) => ({ name, kilobytes }));
  const large = parts
    .filter(({ kilobytes }) => kilobytes >= least)
    .toSorted((a, b) => b.kilobytes - a.kilobytes);
  const rest = parts
    .filter(({ kilobytes }) => kilobytes < least)
    .reduce((sum, { kilobytes }) => sum + kilobytes, 0);
  return [...large, { name: `everything below ${least} KiB`, kilobytes: rest }];
}

function partOf(path: string): string {
  const [, scoped] = /node_modules\/((?:@[^/]+\/)?[^/]+)(?!.*node_modules)/.exec(path) ?? [];
  if (scoped) return scoped;
  const [, folder] = /(src\/[^/]+\/[^/]+)/.exec(path) ?? [];
  return folder ?? path;
}
