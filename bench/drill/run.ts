// `npm run drill`: what an operator does on a bad day, done to a deployment under load.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { commandLine, refuse } from "../../scripts/command-line.ts";

const { values } = commandLine({
  usage: `Usage: npm run drill [-- --small] [--only PART,…]

Does to the file for one machine, with clients at work, what goes wrong or is done to a deployment in its years. Ends with 1 if an answer was a fault,
a charge was made twice or has no order, a row was lost, or a part stood still and nobody saw it.

  versions  the version before serves while this one migrates its data; then this one serves them, then the one before again
  kills     kill -9 at random moments
  restore   a copy is put back, each account's file is imported elsewhere, and every row compared
  secrets   each is replaced, as docs/run/secrets.md says
  move      an account moves to an object and back, in the local runtime of the edge (five minutes; not in the small form)
  parts     endpoint, mails, cron, consumer, credentials key and schema fail in turn, and are seen in /health, /metrics or the log

  --small   a second of load where there would be fifteen, three kills for twenty, and all parts at once
  --only    some of them, divided by commas`,
  options: { small: { type: "boolean", default: false }, only: { type: "string" } },
});

// The rest is loaded once the arguments are known to be right.
const { buildHost } = await import("../../scripts/host/build.ts");
const { buildBefore, commitBefore } = await import("../../scripts/release/before.ts");
const { drillKills } = await import("./kills.ts");
const { drillMoves } = await import("./moves.ts");
const { drillParts } = await import("./parts.ts");
const { drillRestore } = await import("./restore.ts");
const { drillSecrets } = await import("./secrets.ts");
const { drillVersions } = await import("./versions.ts");

const length = values.small ? 1 : 15;
const folder = mkdtempSync(`${tmpdir()}/perennial-drill-`);
const { file: program } = await buildHost(`${folder}/program`);
const drills = {
  versions: async () => {
    const found = await drillVersions({ program, before: await buildBefore(folder), length });
    return { ...found, figures: `${commitBefore()?.slice(0, 9) ?? "this tree"} first, ${found.figures}` };
  },
  kills: () => drillKills(program, values.small ? 3 : 20),
  restore: () => drillRestore(program, length),
  secrets: () => drillSecrets(program, length),
  move: () => drillMoves(),
  parts: () => drillParts(program),
};

const isDrill = (name: string): name is keyof typeof drills => Object.hasOwn(drills, name);
const names =
  values.only?.split(",") ?? Object.keys(drills).filter((name) => name !== "move" || !values.small);
const [other] = names.filter((name) => !isDrill(name));
if (other !== undefined) refuse(`--only takes ${Object.keys(drills).join(", ")}, not ${other}`);
if (values.small) await Promise.all(names.filter(isDrill).map(drill));
else for (const name of names.filter(isDrill)) await drill(name);
rmSync(folder, { recursive: true });
console.log(process.exitCode ? "Something is wrong" : "Nothing is wrong");

async function drill(name: keyof typeof drills): Promise<void> {
  const began = performance.now();
  const { figures, faults } = await drills[name]();
  const took = `${Math.round((performance.now() - began) / 1000)} s`;
  console.log(`${name.padEnd(8)} ${took.padStart(5)}  ${figures}`);
  for (const fault of faults.slice(0, 20)) console.error(`FAULT: ${name}: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}
