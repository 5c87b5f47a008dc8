/** A command installs what it needs once, keeps what is there, and passes on arguments, signals and exit codes. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { childEnv } from "../support/child-env.ts";

/** Notes its arguments, and leaves behind what npm would: the packages, and then the list of them. */
const fakeNpm = `
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
const args = process.argv.slice(2);
appendFileSync(process.env.NPM_LOG, "begin " + args.join(" ") + "\\n");
await new Promise((resolve) => setTimeout(resolve, 200));
if (process.env.NPM_FAILS) process.exit(1);
if (args[0] === "ci") rmSync("node_modules", { recursive: true, force: true });
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const installed = Object.fromEntries(
  Object.entries(packages).filter(([path, { dev, os }]) => path && !os && !(dev && args.includes("--omit=dev"))),
);
for (const [path, { bin }] of Object.entries(installed)) {
  mkdirSync(path, { recursive: true });
  if (!existsSync(path + "/whole")) writeFileSync(path + "/whole", String(process.pid));
  if (bin) mkdirSync("node_modules/.bin", { recursive: true });
  if (bin) writeFileSync("node_modules/.bin/" + bin, '#!/bin/sh\\nexec "' + process.execPath + '" "$@"\\n', { mode: 0o755 });
}
writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages: installed }));
appendFileSync(process.env.NPM_LOG, "end\\n");
`;

type Packages = Record<string, { version?: string; [field: string]: unknown }>;

const packages: Packages = {
  "": {},
  "node_modules/served": { version: "1.0.0", bin: "served" },
  "node_modules/tested": { version: "1.0.0", dev: true },
  "node_modules/elsewhere": { version: "1.0.0", optional: true, os: ["none"], cpu: ["none"] },
};

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A project of two packages, in a folder with a space. */
function project(leastNode = ">=22.18") {
  const folder = mkdtempSync(join(tmpdir(), "perennial clone-"));
  folders.push(folder);
  const write = (path: string, content: object | string) =>
    writeFileSync(`${folder}/${path}`, typeof content === "string" ? content : JSON.stringify(content));
  for (const name of ["scripts", "tools/node"]) mkdirSync(`${folder}/${name}`, { recursive: true });
  for (const name of ["run", "ensure", "install"])
    cpSync(`scripts/${name}.mjs`, `${folder}/scripts/${name}.mjs`);
  write("scripts/prepare.mjs", "");
  write("package.json", { engines: { node: leastNode } });
  write("package-lock.json", { packages });
  write("tools/node/package.json", { description: "a newer Node.js" });
  write("tools/node/package-lock.json", {
    packages: { "node_modules/node": { version: "24.0.0", bin: "node" } },
  });
  write("npm.mjs", fakeNpm);
  write("npm.log", "");
  const env = { ...childEnv, npm_execpath: `${folder}/npm.mjs`, NPM_LOG: `${folder}/npm.log` };
  const start = (program: string, ...args: string[]) =>
    spawn(program, args, { cwd: folder, env, stdio: ["ignore", "pipe", "ignore"] });
  return {
    write,
    has: (path: string) => existsSync(`${folder}/${path}`),
    read: (path: string) => readFileSync(`${folder}/${path}`, "utf8"),
    /** The calls of npm so far, without the options that it always gets. */
    asked: () =>
      readFileSync(`${folder}/npm.log`, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => line.replace(/ --include=optional .*/, "")),
    ensure: (set: "server" | "all", more: Record<string, string> = {}) =>
      new Promise<{ code: number; stderr: string }>((resolve) => {
        const args = [`${folder}/scripts/ensure.mjs`, ...(set === "server" ? [set] : [])];
        execFile(process.execPath, args, { env: { ...env, ...more } }, (failure, _, stderr) =>
          resolve({ code: Number(failure?.code ?? 0), stderr }),
        );
      }),
    run: (...args: string[]) => start(process.execPath, "scripts/run.mjs", "server", ...args),
    runInShell: (file: string) =>
      start("sh", "-c", `"${process.execPath}" scripts/run.mjs server ${file}; true`),
  };
}

test("the server's packages come first, those of tests are added beside them, and nothing comes twice", async () => {
  const { ensure, asked, has, read } = project();
  expect(await ensure("server")).toEqual({
    code: 0,
    stderr: "Installing the packages that the server needs …\n",
  });
  const served = read("node_modules/served/whole");
  expect(has("node_modules/tested")).toBe(false);
  expect(await ensure("server")).toEqual({ code: 0, stderr: "" });
  expect((await ensure("all")).stderr).toBe("Installing the packages that tests and checks need …\n");
  expect(read("node_modules/served/whole")).toBe(served);
  expect(await ensure("all")).toEqual({ code: 0, stderr: "" });
  expect(await ensure("server")).toEqual({ code: 0, stderr: "" });
  expect(asked()).toEqual(["begin ci --omit=dev", "end", "begin install --no-save --include=dev", "end"]);
});

test("a start after a change of versions leaves the packages of tests", async () => {
  const { ensure, asked, has, write } = project();
  await ensure("all");
  const served = { version: "2.0.0", bin: "served" };
  write("package-lock.json", { packages: { ...packages, "node_modules/served": served } });
  await ensure("server");
  expect(asked().slice(2)).toEqual(["begin install --no-save --include=dev", "end"]);
  expect(has("node_modules/tested")).toBe(true);
});

test("half a package of an installation that was ended is not taken for a whole one", async () => {
  const { ensure, has, write } = project();
  await ensure("server");
  await ensure("all", { NPM_FAILS: "1" });
  mkdirSync(join(folders[0]!, "node_modules/tested"));
  write("node_modules/tested/half", "");
  await ensure("all");
  expect([has("node_modules/tested/half"), has("node_modules/tested/whole")]).toEqual([false, true]);
});

test("two commands at once install one after the other, and only what is missing by then", async () => {
  const { ensure, asked } = project();
  const ended = await Promise.all([ensure("all"), ensure("server"), ensure("all")]);
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
  const log = asked();
  expect(log.filter((_, nth) => nth % 2 === 1)).toEqual(log.filter((line) => line === "end"));
  expect(log.filter((line) => line.startsWith("begin ci"))).toHaveLength(1);
  expect(log.length).toBeLessThanOrEqual(4);
});

test("a failure is said in a sentence, and leaves nothing locked", async () => {
  const { ensure, has } = project();
  const { code, stderr } = await ensure("server", { NPM_FAILS: "1" });
  expect([code, stderr.trim().split("\n").at(-1)]).toEqual([
    1,
    "npm could not install the packages that the server needs",
  ]);
  expect(has(".installing")).toBe(false);
  expect((await ensure("server")).code).toBe(0);
});

test("a newer Node comes with the packages only where the system's is too old", async () => {
  const [newEnough, tooOld] = [project(), project(">=99.1")];
  await newEnough.ensure("server");
  expect([newEnough.has("tools/node/node_modules"), newEnough.has("node_modules/.bin/node")]).toEqual([
    false,
    false,
  ]);
  const { code, stderr } = await tooOld.ensure("server");
  expect([code, stderr.includes("Installing a newer Node.js …")]).toEqual([0, true]);
  expect(tooOld.has("node_modules/.bin/node")).toBe(true);
});

describe.each([
  ["new enough", undefined],
  ["too old", ">=99.1"],
])("on a Node that is %s, a command", (_, leastNode) => {
  test("runs with its arguments once its packages are there, and ends with its exit code", async () => {
    const { run, write, has } = project(leastNode);
    write("script.ts", "console.log(process.argv.slice(2).join()); process.exitCode = 3 satisfies number;");
    const command = run("script.ts", "--one", "two");
    const [said, [code]] = await Promise.all([text(command.stdout), once(command, "exit")]);
    expect([said, code, has("node_modules/served")]).toEqual(["--one,two\n", 3, true]);
  });

  test("hears the signals that it is sent", async () => {
    const { run, write } = project(leastNode);
    write(
      "script.ts",
      `process.on("SIGTERM", () => process.exit(7)); setInterval(() => {}, 1000); console.log("ready");`,
    );
    const command = run("script.ts");
    await once(command.stdout, "data");
    command.kill("SIGTERM");
    expect(await once(command, "exit")).toEqual([7, null]);
  });
});

test("a command on a Node that is too old ends with the shell that called it", async () => {
  const { runInShell, write } = project(">=99.1");
  write("script.ts", "setInterval(() => {}, 1000); console.log(process.pid);");
  const shell = runInShell("script.ts");
  const [pid] = await once(shell.stdout, "data");
  shell.kill("SIGKILL");
  await vi.waitFor(() => expect(() => process.kill(Number(pid), 0)).toThrow("ESRCH"), { timeout: 5000 });
});
