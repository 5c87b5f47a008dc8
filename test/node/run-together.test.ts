import { execFile } from "node:child_process";
import { expect, test } from "vitest";
import { childEnv } from "./child-env.ts";

function runTogether(scripts: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const program = `import { runTogether } from "./scripts/run-together.ts"; await runTogether(${JSON.stringify(scripts)})`;
    const args = ["--input-type=module", "--eval", program];
    execFile(process.execPath, args, { env: childEnv }, (failure, stdout) =>
      resolve({ code: Number(failure?.code ?? 0), output: stdout }),
    );
  });
}

test("scripts that run side by side: what fails is named, with its output, after all that has not, and fails the whole", async () => {
  const { code, output } = await runTogether(["lint:lock", "no-such-script"]);
  expect(code).toBe(1);
  expect(output.trimStart()).toMatch(
    /^✓ npm run lint:lock \(\d+ s\)\n.*compared to a hash.*\n✗ npm run no-such-script \(\d+ s\)\n.*Missing script/s,
  );
});

test("scripts that all succeed succeed", async () => {
  expect((await runTogether(["lint:lock"])).code).toBe(0);
});
