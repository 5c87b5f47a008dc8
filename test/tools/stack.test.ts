/** A stack in the log is told in the files and lines of the sources. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { buildScript } from "../../bench/build.ts";
import { childEnv } from "../support/child-env.ts";

test("a stack of the log is told in the files and lines of the sources", () => {
  const before = buildScript().split("The local server answers to its own name only")[0]?.split("\n") ?? [];
  const position = `${before.length}:${(before.at(-1) ?? "").length + 1}`;
  const logged = JSON.stringify({ event: "error", stack: `Error: no\n    at Wt (worker.js:${position})` });
  const { stdout } = spawnSync(process.execPath, ["scripts/stack.ts"], {
    input: logged,
    encoding: "utf8",
    env: childEnv,
  });
  expect(stdout).toMatch(/Error: no\n {4}at Wt \(src\/kit\/http\/local-host\.ts:\d+:\d+\)/);
});
