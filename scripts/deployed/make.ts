// Makes what is deployed (`[env.*.build]` in wrangler.toml): the sources without the texts of the API's document, in build/, and the document
// itself as an asset. So the script is a tenth smaller, and no isolate spends a second on making the document.
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
import { withoutTexts } from "./without-texts.ts";

const sources = find("src").filter((path) => !path.endsWith(".test.ts") && !path.startsWith("src/host/"));
const madeOf = [...sources, ...find("scripts/deployed"), ...find("bundle"), "package-lock.json"]
  .map((path) => `${path} ${statSync(root + path).mtimeMs}\n`)
  .join("");
const [document, list] = ["public/assets/api-document.json", "build/made-of.txt"];
const isMade =
  [document, list].every((path) => existsSync(root + path)) && readFileSync(root + list, "utf8") === madeOf;
if (!isMade) await make();

async function make(): Promise<void> {
  const { apiDocument } = await import("../../src/runtime/operations.ts");
  write(document, JSON.stringify(await apiDocument(documentDay)));
  for (const path of sources) write(`build/${path}`, deployed(path));
  for (const path of find("build/src"))
    if (!sources.includes(path.slice("build/".length))) rmSync(root + path);
  write(list, madeOf);
}

function find(folder: string): string[] {
  return globSync(`${folder}/**/*.ts`, { cwd: root }).sort();
}

/** Two builds may run side by side, and neither finds a file that is half written. */
function write(path: string, text: string): void {
  const target = root + path;
  if (existsSync(target) && readFileSync(target, "utf8") === text) return;
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(`${target}.${process.pid}`, text);
  renameSync(`${target}.${process.pid}`, target);
}

function deployed(path: string): string {
  if (path === "src/runtime/document.ts") return `export * from "../../../bundle/document.ts";\n`;
  return withoutTexts(readFileSync(root + path, "utf8"));
}
