// Installs what lock files list: the project's packages in two sets, and those of each folder in tools/. Runs before anything is
// installed and on Node 20, so built-ins only; writes to stderr only.
import { spawn } from "node:child_process";
import { existsSync, lstatSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** Installs the packages that the server needs, or all of the project. Nothing is done where they are there. */
export async function installPackages({ all }) {
  const needsNode = lstatSync(linkToNode, { throwIfNoEntry: false }) !== undefined || !runsTypeScript();
  await Promise.all([installProject(all), needsNode && installTool("node")]);
  if (needsNode) linkNode();
}

/** Installs the packages of a folder in tools/. Nothing is done where they are there. */
export async function installTool(name) {
  const folder = `${root}tools/${name}/`;
  await install(folder, {
    isWanted: () => true,
    options: () => [],
    what: () => JSON.parse(readFileSync(`${folder}package.json`, "utf8")).description,
  });
}

/** The Node that runs the scripts: this one, or where it is too old the one that comes as a package. */
export function nodeForScripts() {
  return runsTypeScript() ? process.execPath : linkToNode;
}

/** The version of Node.js from which on it runs the scripts. */
export const leastNode = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url)),
).engines.node.slice(2);

const root = fileURLToPath(new URL("..", import.meta.url));
const linkToNode = `${root}node_modules/.bin/node`;

async function installProject(all) {
  // Packages of tests that are there stay, in the versions of now: somebody may be running them.
  const needsAll = () => all || Object.values(installedIn(root)).some(({ dev }) => dev);
  await install(root, {
    isWanted: ({ dev }) => all || !dev,
    options: () => (needsAll() ? ["--include=dev"] : ["--omit=dev"]),
    what: () => `the packages that ${needsAll() ? "tests and checks need" : "the server needs"}`,
  });
}

async function install(folder, { isWanted, options, what }) {
  if (isInstalled(folder, isWanted)) return;
  await withLock(folder, async () => {
    if (isInstalled(folder, isWanted)) return;
    console.error(`Installing ${what()} …`);
    if (!(await runNpm(folder, [...commandFor(folder), ...options()])))
      throw new Error(`npm could not install ${what()}`);
  });
}

/** Whether every package that is wanted is there; npm leaves out optional ones, as those of other platforms. */
function isInstalled(folder, isWanted) {
  const installed = installedIn(folder);
  return Object.entries(packagesIn(`${folder}package-lock.json`)).every(
    ([path, locked]) =>
      path === "" ||
      !isWanted(locked) ||
      installed[path]?.version === locked.version ||
      (locked.optional && !isForHere(locked) && installed[path] === undefined),
  );
}

/** Whether a package is made for this platform. Those that name a C library are not told apart. */
function isForHere({ os, cpu, libc }) {
  return !libc && [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch);
}

/** The packages that npm has noted as its last step: a folder that it has not noted may be half a package. */
function installedIn(folder) {
  return packagesIn(`${folder}node_modules/.package-lock.json`);
}

function packagesIn(lockFile) {
  return existsSync(lockFile) ? JSON.parse(readFileSync(lockFile, "utf8")).packages : {};
}

/** Where packages are installed others are added: `npm ci` would take them from under a running server. */
function commandFor(folder) {
  const installed = installedIn(folder);
  if (Object.keys(installed).length === 0) return ["ci"];
  for (const [path, { version }] of Object.entries(packagesIn(`${folder}package-lock.json`)))
    if (path.includes("node_modules/") && installed[path]?.version !== version)
      rmSync(`${folder}${path}`, { recursive: true, force: true });
  return ["install", "--no-save"];
}

/** Runs npm to its end, and returns whether it succeeded. No package needs its install script. */
async function runNpm(folder, args) {
  const cli = process.env.npm_execpath;
  const [command, ...first] = cli ? [process.execPath, cli] : ["npm"];
  const npm = spawn(
    command,
    [...first, ...args, "--include=optional", "--ignore-scripts", "--prefer-offline", "--loglevel=error"],
    { cwd: folder, stdio: ["ignore", 2, 2], shell: !cli && process.platform === "win32" },
  );
  // Who ends this ends npm too: else it would go on without a lock.
  const end = (signal) => npm.kill(signal);
  for (const signal of endSignals) process.on(signal, end);
  try {
    return await new Promise((resolve) => {
      npm.on("error", () => resolve(false));
      npm.on("close", (code) => resolve(code === 0));
    });
  } finally {
    for (const signal of endSignals) process.off(signal, end);
  }
}

const endSignals = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Works while no other process does so in the folder: two installers would undo each other's work. */
async function withLock(folder, work) {
  const lock = `${folder}.installing`;
  while (!takeLock(lock)) await wait(250);
  const beat = setInterval(() => writeFileSync(lock, ""), beatMs);
  try {
    await work();
  } finally {
    clearInterval(beat);
    rmSync(lock, { force: true });
  }
}

const beatMs = 2000;
const abandonedMs = 20_000;

function takeLock(lock) {
  try {
    writeFileSync(lock, "", { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    const touched = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - touched > abandonedMs) rmSync(lock, { force: true });
    return false;
  }
}

function runsTypeScript() {
  const [least, here] = [leastNode, process.versions.node].map((version) => version.split(".").map(Number));
  return here[0] > least[0] || (here[0] === least[0] && here[1] >= least[1]);
}

/** Scripts of package.json find Node there, before the system's. */
function linkNode() {
  const binary = `${root}tools/node/node_modules/.bin/node`;
  if (!existsSync(binary))
    throw new Error(`Node.js ${leastNode} or later is needed, and this is ${process.versions.node}`);
  if (existsSync(linkToNode)) return;
  rmSync(linkToNode, { force: true });
  try {
    symlinkSync("../../tools/node/node_modules/.bin/node", linkToNode);
  } catch (error) {
    // Another command has just made it.
    if (error.code !== "EEXIST") throw error;
  }
}
