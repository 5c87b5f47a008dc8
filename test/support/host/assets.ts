import { existsSync, readFileSync, statSync } from "node:fs";
import { extname } from "node:path";
import { root } from "../../../scripts/paths.ts";

const directory = `${root}public`;

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".ico": "image/vnd.microsoft.icon",
  ".js": "text/javascript; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
};

/** The rules of `_headers`: a line sets a header, or removes it by "! Name". */
const rules = readFileSync(`${directory}/_headers`, "utf8")
  .split(/\n(?=\/)/)
  .map((rule) => {
    const [pattern = "", ...lines] = rule.split("\n").filter((line) => !line.startsWith("#"));
    return {
      pattern: new RegExp(`^${pattern.replaceAll(/[.]/g, "\\.").replaceAll("*", ".*")}$`),
      lines: lines.map((line) => line.trim()).filter((line) => line !== ""),
    };
  });

/** The file of public/ at a path, with the headers that `_headers` gives it; undefined where there is none. */
export function readAsset(path: string): Response | undefined {
  const file = directory + path;
  if (path.includes("..") || path === "/_headers" || !existsSync(file) || !statSync(file).isFile()) return;
  const headers = new Headers({ "Content-Type": types[extname(path)] ?? "application/octet-stream" });
  for (const { pattern, lines } of rules)
    for (const line of pattern.test(path) ? lines : []) applyLine(headers, line);
  return new Response(readFileSync(file), { headers });
}

function applyLine(headers: Headers, line: string): void {
  if (line.startsWith("! ")) headers.delete(line.slice(2));
  else {
    const [name = "", ...value] = line.split(":");
    headers.append(name, value.join(":").trim());
  }
}
