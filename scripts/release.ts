// `npm run release -- 0.2.0`: makes the working tree the one that is released (docs/change/recipes.md, "A release").
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { commandLine, refuse } from "./command-line.ts";
import { root } from "./paths.ts";

const { positionals } = commandLine({
  usage: `Usage: npm run release -- VERSION

Makes the working tree that of a release: its version in package.json and the lock file, its date in CHANGELOG.md, and the hash of each
migration and a small account's file in released/VERSION/, which no later commit may change. Says what is left to do. Called again before the tag, it does the same again.`,
  options: {},
  positionals: true,
});

const [version = "", ...more] = positionals;
if (!/^\d+\.\d+\.\d+$/.test(version) || more.length > 0) refuse("The version must have three numbers");

// The rest is loaded once the arguments are known to be right.
const { migrationNames, migrationText } = await import("./migrations.ts");
const { hashOf } = await import("./release/released.ts");
const { withRelease } = await import("./release/changelog.ts");
const { writeAccountFile } = await import("./release/account-file.ts");

if (execFileSync("git", ["tag", "--list", `v${version}`], { cwd: root, encoding: "utf8" }).trim() !== "")
  refuse(`v${version} is released already`);

for (const file of ["package.json", "package-lock.json"]) {
  const content = JSON.parse(readFileSync(`${root}${file}`, "utf8"));
  content.version = version;
  if (content.packages) content.packages[""].version = version;
  write(file, `${JSON.stringify(content, null, 2)}\n`);
}
write("CHANGELOG.md", withRelease(readFileSync(`${root}CHANGELOG.md`, "utf8"), version, new Date()));
const hashes = migrationNames().map((name) => [name, hashOf(migrationText(name))]);
mkdirSync(`${root}released/${version}`, { recursive: true });
write(`released/${version}/migrations.json`, `${JSON.stringify(Object.fromEntries(hashes), null, 2)}\n`);
await writeAccountFile(`${root}released/${version}/account.jsonl`);
console.log(`Now: npm run verify, commit it as "chore(release): ${version}", git tag v${version}`);

function write(path: string, text: string): void {
  writeFileSync(`${root}${path}`, text);
}
