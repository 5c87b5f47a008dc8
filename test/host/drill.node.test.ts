/** The drill in its small form: what happens to a deployment in its years loses nothing, and every part that stands still is seen. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { root } from "../../scripts/paths.ts";
import { childEnv } from "../support/child-env.ts";

test("versions change, processes are killed, copies put back, secrets replaced, and parts stand still", async () => {
  const ran = promisify(execFile)(process.execPath, ["bench/drill/run.ts", "--small"], {
    ...{ cwd: root, env: { ...childEnv, NODE_NO_WARNINGS: "1" } },
  });
  const { stdout, stderr } = await ran.catch((failed) => failed);
  expect(stderr).toBe("");
  expect(stdout).toMatch(/Nothing is wrong\n$/);
  expect(stdout).toContain("seen: endpoint, mails, tick, consumer, credentials, schema");
}, 600_000);
