/** What a lock file says of one package. */
export type Locked = {
  version?: string;
  integrity?: string;
  link?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
};
export type Platform = { os: string; cpu: string; libc: string };

/** What is wrong with a lock file's packages for whoever installs them on a platform. */
export function faultsInLock(packages: Record<string, Locked>, here: Platform): string[] {
  const without = Object.entries(packages).filter(
    ([path, { link, integrity }]) => path.includes("node_modules/") && !link && !integrity,
  );
  const names = without.map(([path, locked]) => nameOf(path, locked));
  return [
    ...without
      .filter(([path, locked]) => isFor(here, locked) || !knownWithout.includes(nameOf(path, locked)))
      .map(([path]) => `${path}: no integrity in package-lock.json`),
    ...knownWithout
      .filter((name) => !names.includes(name))
      .map((name) => `${name}: is listed as without integrity, and is not`),
  ];
}

/**
 * Packages of other platforms that the registry did not have when the lock file was made, at exactly these versions. One that gets
 * an integrity, or another version, must leave the list.
 */
const knownWithout = [
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
