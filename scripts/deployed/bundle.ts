import { relative, sep } from "node:path";
import { rolldown } from "rolldown";
import { lighterPackages } from "../lighter-packages.ts";
import { root } from "../paths.ts";

/**
 * The Worker's script as modules, of which worker.js is loaded first, with their source maps, by the names of their files. What stands behind
 * an `import()` is in modules of its own: the platform compiles a module when it is first imported (`new_module_registry`), so that a start
 * compiles a fifth of the script. `textOf` gives the text of a source.
 */
export async function bundle(textOf: (path: string) => string): Promise<Map<string, string | Uint8Array>> {
  const build = await rolldown({
    ...{ cwd: root, input: `${root}src/worker.ts`, logLevel: "silent" },
    ...{ platform: "neutral", external: [/^node:/, /^cloudflare:/] },
    resolve: {
      alias: lighterPackages,
      conditionNames: ["workerd", "worker", "browser", "import"],
      mainFields: ["browser", "module", "main"],
    },
    transform: { target: "es2024", define: { "process.env.NODE_ENV": '"production"' } },
    plugins: [
      {
        name: "texts of sources",
        load: {
          filter: { id: /[\\/]src[\\/].*\.ts$/ },
          handler: (id) => ({ code: textOf(pathFromRoot(id)), moduleType: "ts" }),
        },
      },
    ],
  });
  const { output } = await build.generate({
    ...{ dir: `${root}build/worker`, format: "es", minify: true },
    ...{ sourcemap: true, sourcemapExcludeSources: true },
    entryFileNames: "worker.js",
    // All that is loaded at a start is one module.
    codeSplitting: { groups: [{ name: "start", tags: ["$initial"] }] },
    ...{
      chunkFileNames: ({ name }) => (name === "start" ? "start.js" : "[hash].js"),
      hashCharacters: "base36",
    },
    sourcemapPathTransform: (path) => pathFromRoot(`${root}build/worker/${path}`),
  });
  await build.close();
  return new Map(output.map((each) => [each.fileName, each.type === "chunk" ? each.code : each.source]));
}

function pathFromRoot(path: string): string {
  return relative(root, path).split(sep).join("/");
}
