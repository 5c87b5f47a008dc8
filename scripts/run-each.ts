import { spawnSync } from "node:child_process";
import { root } from "./paths.ts";

/** Runs commands one after the other, their output shown, and ends with the first that fails. */
export function runEach(commands: string[][]): void {
  for (const [command = "", ...args] of commands) {
    const { status } = spawnSync(command, args, { cwd: root, stdio: "inherit" });
    if (status !== 0) process.exit(status ?? 1);
  }
}

/** A script of package.json. */
export function npmRun(script: string, ...args: string[]): string[] {
  const npm = process.env.npm_execpath;
  const command = npm ? [process.execPath, npm] : ["npm"];
  return [...command, "run", script, ...(args.length > 0 ? ["--", ...args] : [])];
}

/** A program of node_modules. */
export function program(path: string, ...args: string[]): string[] {
  return [process.execPath, `${root}node_modules/${path}`, ...args];
}
