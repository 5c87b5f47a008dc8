import { gzipSync } from "node:zlib";
import type { Modules } from "./build.ts";

export type Part = { name: string; kilobytes: number };

export function gzipKilobytes(script: string): number {
  return gzipSync(script, { level: 9 }).length / 1024;
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
