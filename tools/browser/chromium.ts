import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import chromium, { inflate, setupLambdaEnvironment } from "@sparticuz/chromium";

/** The browser of the package. Where the system lacks a library that it needs, those of the package are unpacked beside it. */
export async function packagedChromium(): Promise<string> {
  const inMemory = process.env.TMPDIR;
  // Programs may not run from a directory in memory, where the tests' databases are (vitest.config.ts).
  if (inMemory?.startsWith("/dev/shm/")) delete process.env.TMPDIR;
  try {
    return await unpackedChromium();
  } finally {
    if (inMemory !== undefined) process.env.TMPDIR = inMemory;
  }
}

async function unpackedChromium(): Promise<string> {
  const executablePath = await chromium.executablePath();
  if (spawnSync(executablePath, ["--version"]).status !== 0) {
    await inflate(join(import.meta.dirname, "node_modules/@sparticuz/chromium/bin/al2023.tar.br"));
    setupLambdaEnvironment(join(tmpdir(), "al2023", "lib"));
  }
  return executablePath;
}
