import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** One by `import()` is deferred: what it names is loaded when it is asked for. */
type Import = { from: string; to: string; typeOnly: boolean; deferred?: true };
type Source = { path: string; text: string; imports: Import[] };

const statement = /^(?:import|export(?=\s+(?:type\s+)?[{*]))\s+(type\s)?([^'";]*)\sfrom\s+"([^"]+)"/gm;
const bare = /(?:^import\s+|\bimport(\())"([^"]+)"/gm;

function onlyTypes(names: string): boolean {
  const listed = /^\s*\{([^}]*)\}\s*$/.exec(names)?.[1]?.split(",") ?? [""];
  return listed.every((name, index) => name.trim().startsWith("type ") || (index > 0 && name.trim() === ""));
}

function importsOf(path: string, text: string): Import[] {
  const resolved = (to: string): string => (to.startsWith(".") ? normalize(join(dirname(path), to)) : to);
  return [
    ...[...text.matchAll(statement)].map(([, type, names, to]) => ({
      from: path,
      to: resolved(to!),
      typeOnly: type !== undefined || onlyTypes(names!),
    })),
    ...[...text.matchAll(bare)].map(([, deferred, to]) => ({
      ...{ from: path, to: resolved(to!), typeOnly: false },
      ...(deferred ? { deferred: true as const } : {}),
    })),
  ];
}

/** The files of a folder, rule tests aside. */
function read(folder: string): Source[] {
  return readAll(globSync(`${folder}/**/*.ts`).filter((path) => !path.endsWith(".test.ts")));
}

function readAll(paths: string[]): Source[] {
  return paths.toSorted().map((path) => {
    const text = readFileSync(path, "utf8");
    return { path, text, imports: importsOf(path, text) };
  });
}

/** The Worker's own code; the migrations stand in it as SQL, which has words of its own. */
export const sources = read("src").map((source) =>
  source.path === "src/host/migrations.ts" ? { ...source, text: "" } : source,
);

/** The files that run beside the Worker. */
export const tools = [...read("simulator"), ...read("scripts")];

/** All that runs the Worker's code: itself with its rule tests, and what stands beside it. */
export const everything = readAll(
  globSync("{src,simulator,scripts,test,bench,clients/*/{src,test,scripts}}/**/*.{ts,mjs}"),
);
