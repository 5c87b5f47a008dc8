/** The entry of one package in a lock file. */
export type Locked = {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
};
export type Platform = { os: string; cpu: string; libc: string };

/** The faults in a lock file's packages for whoever installs them on a platform; `known` are those that may lack an integrity. */
export function faultsInLock(
  { file, packages }: { file: string; packages: Record<string, Locked> },
  here: Platform,
  known: string[] = [],
): string[] {
  const locked = Object.entries(packages).filter(
    ([path, { link }]) => path.includes("node_modules/") && !link,
  );
  const without = locked.filter(([, { integrity }]) => !integrity);
  const names = without.map(([path, its]) => nameOf(path, its));
  return [
    ...locked
      .filter(([, { resolved }]) => resolved !== undefined)
      .map(([path]) => `${path}: ${file} names its download address`),
    ...without
      .filter(([path, its]) => isFor(here, its) || !known.includes(nameOf(path, its)))
      .map(([path]) => `${path}: no integrity in ${file}`),
    ...known
      .filter((name) => !names.includes(name))
      .map((name) => `${name}: is listed as without integrity, and is not`),
  ];
}

/**
 * Packages of other platforms that the registry did not have when the project's own lock file was made, at exactly these versions. One
 * that gets an integrity, or another version, must leave the list.
 */
export const knownWithout = [
  "@biomejs/cli-android-arm64@2.6.8",
  "@biomejs/cli-android-x64@2.6.8",
  "@biomejs/cli-darwin-arm64@2.6.8",
  "@biomejs/cli-darwin-x64@2.6.8",
  "@biomejs/cli-linux-arm64-musl@2.6.8",
  "@biomejs/cli-linux-x64-musl@2.6.8",
  "@biomejs/cli-win32-arm64@2.6.8",
  "@biomejs/cli-win32-x64@2.6.8",
  "@cloudflare/workerd-darwin-64@1.20261102.1",
  "@cloudflare/workerd-darwin-arm64@1.20261102.1",
  "@cloudflare/workerd-windows-64@1.20261102.1",
];

function nameOf(path: string, { version }: Locked): string {
  return `${path.split("node_modules/").at(-1)}@${version}`;
}

function isFor({ os, cpu, libc }: Platform, locked: Locked): boolean {
  return (
    (locked.os?.includes(os) ?? true) &&
    (locked.cpu?.includes(cpu) ?? true) &&
    (locked.libc?.includes(libc) ?? true)
  );
}
