import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";

/** A file of public/, with the headers that `_headers` gives it. */
export type Asset = { body: Uint8Array; headers: Record<string, string> };

/** All files of a folder, by their paths. They are few, and stay in memory. */
export function readAssets(folder: string): Map<string, Asset> {
  const rules = rulesOf(readFileSync(`${folder}/_headers`, "utf8"));
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name !== "_headers",
  );
  return new Map(
    files.map(({ parentPath, name }) => {
      const file = `${parentPath}/${name}`;
      const path = file.slice(folder.length).replaceAll("\\", "/");
      const body = readFileSync(file);
      return [path, { body, headers: headersOf(path, body, rules) }];
    }),
  );
}

type Rule = { pattern: RegExp; lines: string[] };

/** The rules of `_headers`: a line sets a header, or removes it by "! Name". */
function rulesOf(text: string): Rule[] {
  return text.split(/\n(?=\/)/).map((rule) => {
    const [pattern = "", ...lines] = rule.split("\n").filter((line) => !line.startsWith("#"));
    return {
      pattern: new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", ".*")}$`),
      lines: lines.map((line) => line.trim()).filter((line) => line !== ""),
    };
  });
}

function headersOf(path: string, body: Uint8Array, rules: Rule[]): Record<string, string> {
  const headers = new Headers({
    "Content-Type": types[extname(path)] ?? "application/octet-stream",
    "Cache-Control": "public, max-age=0, must-revalidate",
    ETag: `"${createHash("sha256").update(body).digest("hex").slice(0, 32)}"`,
  });
  for (const { pattern, lines } of rules)
    for (const line of pattern.test(path) ? lines : []) {
      const [name = "", ...value] = line.split(":");
      if (line.startsWith("! ")) headers.delete(line.slice(2));
      else headers.set(name, value.join(":").trim());
    }
  return Object.fromEntries(headers);
}

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/vnd.microsoft.icon",
  ".json": "application/json",
  ".js": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};
