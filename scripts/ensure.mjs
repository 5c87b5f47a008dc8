// Installs the locked packages where they are missing or others: what makes `npm start` and `npm test` work on a
// fresh clone. Then makes what is not kept. Runs before anything is installed and on Node 20, so built-ins only; writes to stderr only.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const lock = `${tmpdir()}/npm-ci-${createHash("sha256").update(root).digest("hex").slice(0, 16)}`;
const abandonedMs = 300_000;

const packagesOf = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).packages : {});

/** Whether every locked package is there; optional ones may be left out, as they are for other platforms. */
const isInstalled = () => {
  const installed = packagesOf(`${root}node_modules/.package-lock.json`);
  return Object.entries(packagesOf(`${root}package-lock.json`)).every(
    ([path, { version, optional }]) =>
      path === "" || installed[path]?.version === version || (optional && installed[path] === undefined),
  );
};

/** Takes the lock, or waits for its holder: two installers in one folder would undo each other's work. */
const takeLock = async () => {
  for (;;) {
    try {
      mkdirSync(lock);
      return;
    } catch {
      const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0);
      if (age > abandonedMs && existsSync(lock)) rmdirSync(lock);
      else await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
};

const install = () => {
  console.error("Installing packages …");
  const npm = process.env.npm_execpath;
  const [command, ...args] = npm ? [process.execPath, npm] : ["npm"];
  const options = { cwd: root, stdio: ["ignore", 2, 2], shell: !npm };
  // No package needs its install script, and npm leaves out an optional one whose script fails.
  return spawnSync(command, [...args, "ci", "--ignore-scripts", "--loglevel=error"], options).status ?? 1;
};

if (!isInstalled()) {
  await takeLock();
  try {
    if (!isInstalled()) process.exitCode = install();
  } finally {
    rmdirSync(lock);
  }
}
if (!process.exitCode) await import("./prepare.mjs");
