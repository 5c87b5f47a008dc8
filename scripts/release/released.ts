import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";

/** A release, and the hashes of the migrations that it had. */
export type Release = { version: string; migrations: Record<string, string> };

/** The releases that a folder of the project's form has, the oldest first. */
export function releasesIn(root: string): Release[] {
  return globSync("released/*/migrations.json", { cwd: root })
    .map((path) => ({
      version: path.split("/")[1] ?? "",
      migrations: JSON.parse(readFileSync(`${root}${path}`, "utf8")) as Record<string, string>,
    }))
    .sort((a, b) => a.version.localeCompare(b.version, "en", { numeric: true }));
}

export function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/** Why the migrations are not those of a release any more; none while they are, with others after them. */
export function changesSince({ version, migrations }: Release, root: string): string[] {
  return Object.entries(migrations).flatMap(([name, hash]) => {
    const path = `${root}migrations/${name}`;
    if (!existsSync(path)) return [`${name} of ${version} is gone`];
    return hashOf(readFileSync(path, "utf8")) === hash ? [] : [`${name} is not as ${version} had it`];
  });
}
