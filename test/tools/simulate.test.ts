/** Simulated schedules come to the same whether they run together or one after the other. */
import { execFileSync, spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { childEnv } from "../support/child-env.ts";

test("schedules that are asked for at the same moment come to what they come to one after the other", () => {
  const program = `
    const { runBatch } = await import("./scripts/simulate/batch.ts");
    const some = (seed) => () => runBatch({ seeds: [{ seed, schedules: 2 }], nth: 0, of: 1 });
    const apart = [await some(20261121)(), await some(7)()];
    const together = await Promise.all([20261121, 7].map((seed) => some(seed)()));
    console.log(JSON.stringify({ apart, together }));`;
  const { apart, together } = JSON.parse(
    execFileSync(process.execPath, ["--input-type=module", "-e", program], {
      env: childEnv,
      encoding: "utf8",
    }),
  );
  expect(together).toEqual(apart);
});

test("a seeded bug that there is not is refused, and none is tried", () => {
  const args = ["scripts/simulate.ts", "--seeded-bugs", "--only", "counted keys, a bug of nobody"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env: childEnv, encoding: "utf8" });
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toContain('no seeded bug has "a bug of nobody" in its name');
});
