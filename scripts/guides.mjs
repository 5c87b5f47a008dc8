// Makes the guides of docs/ into pages of public/docs, so that every deployment has those of its version. Built-ins only, and on Node 20.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { pageOf, renderGuide } from "./guides/render.mjs";

const from = fileURLToPath(new URL("../docs/", import.meta.url));
const to = fileURLToPath(new URL("../public/docs/", import.meta.url));

const files = (folder) => readdirSync(folder, { recursive: true }).map((name) => name.replaceAll("\\", "/"));
const guides = files(from).filter((path) => path.endsWith(".md"));
const pages = new Set(guides.map(pageOf));

for (const path of guides) write(pageOf(path), renderGuide(readFileSync(from + path, "utf8"), path));
for (const path of files(to)) if (path.endsWith(".html") && !pages.has(path)) rmSync(to + path);
for (const path of files(`${from}pictures`))
  write(`pictures/${path}`, readFileSync(`${from}pictures/${path}`));

/** Writing what is there already would make a running server reload. */
function write(path, content) {
  const target = to + path;
  mkdirSync(dirname(target), { recursive: true });
  if (!existsSync(target) || !readFileSync(target).equals(Buffer.from(content)))
    writeFileSync(target, content);
}
