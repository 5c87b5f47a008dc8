// Makes what is deployed (`[env.*.build]` in wrangler.toml): in build/worker the script without the texts of the API's document, the lists of
// provinces and the texts of agents' tools; in build/public the assets with all of these. So the script is a tenth smaller, no isolate spends
// a second on making the document, and a server that runs beside it, which watches src and public, goes on.
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { documentDay } from "../../bundle/document-days.ts";
import { root } from "../paths.ts";
import { bundle } from "./bundle.ts";
import { withoutTexts } from "./without-texts.ts";

/** The sources that are said by an asset, and what reads it. */
const standIns: Record<string, string> = {
  "src/runtime/document.ts": "document.ts",
  "src/base/lib/places/province-names.ts": "province-names.ts",
  "src/edges/mcp/guidance.ts": "guidance.ts",
};

const sources = find("src/**/*.ts").filter(
  (path) => !path.endsWith(".test.ts") && !path.startsWith("src/host/"),
);
const assets = find("public/**");
const madeOf = [
  ...sources,
  ...assets,
  ...find("scripts/{deployed/*,lighter-packages}.ts"),
  ...find("bundle/*"),
  "package-lock.json",
]
  .map((path) => `${path} ${statSync(root + path).mtimeMs}\n`)
  .join("");
const list = "build/made-of.txt";
if (!existsSync(root + list) || readFileSync(root + list, "utf8") !== madeOf) await make();

async function make(): Promise<void> {
  const { apiDocument } = await import("../../src/runtime/operations.ts");
  const { readProvinceNames } = await import("../../src/base/lib/places/province-names.ts");
  const { readGuidance } = await import("../../src/edges/mcp/guidance.ts");
  const document = JSON.stringify(await apiDocument(documentDay));
  const made = new Map<string, string | Uint8Array>([
    ...[...(await bundle(textOf))].map(([name, content]) => [`build/worker/${name}`, content] as const),
    ...assets.map((path) => [`build/${path}`, readFileSync(root + path)] as const),
    ["build/public/assets/api-document.json", document],
    ["build/public/assets/guidance.json", JSON.stringify(await readGuidance())],
    ["build/public/assets/provinces.json", JSON.stringify(await readProvinceNames())],
  ]);
  for (const [path, content] of made) write(path, content);
  for (const path of find("build/{worker,public}/**")) if (!made.has(path)) rmSync(root + path);
  write(list, madeOf);
}

/** The paths of files, but those that a build beside this one is writing. */
function find(pattern: string): string[] {
  return globSync(pattern, { cwd: root })
    .filter((path) => !/\.\d+$/.test(path) && statSync(root + path).isFile())
    .sort();
}

/** Two builds may run side by side, and neither finds a file that is half written. */
function write(path: string, content: string | Uint8Array): void {
  const target = root + path;
  if (existsSync(target) && readFileSync(target).equals(Buffer.from(content))) return;
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(`${target}.${process.pid}`, content);
  renameSync(`${target}.${process.pid}`, target);
}

/** The text of a source as it is deployed. */
function textOf(path: string): string {
  const standIn = standIns[path];
  if (standIn) return `export * from "${"../".repeat(path.split("/").length - 1)}bundle/${standIn}";\n`;
  return withoutTexts(readFileSync(root + path, "utf8"));
}
