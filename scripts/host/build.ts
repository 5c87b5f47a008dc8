import { cpSync, rmSync, statSync } from "node:fs";
import { build } from "esbuild";
import { lighterPackages } from "../lighter-packages.ts";
import { root } from "../paths.ts";

/** Makes the file for one machine, and what it serves beside it, in a folder. */
export async function buildHost(folder = `${root}dist`): Promise<{ file: string; bytes: number }> {
  const file = `${folder}/perennial.mjs`;
  await build({
    absWorkingDir: root,
    entryPoints: ["scripts/host/perennial.ts"],
    outfile: file,
    ...{ bundle: true, platform: "node", format: "esm", target: "node24" },
    // Stacks name functions.
    ...{ minify: true, keepNames: true, sourcemap: false, legalComments: "none" },
    conditions: ["workerd", "worker"],
    alias: {
      "cloudflare:workers": "./src/host/runtime.ts",
      "cloudflare:sockets": "./src/host/network/sockets.ts",
      undici: "./bundle/undici.js",
      ...lighterPackages,
      "node:sqlite": "./bundle/sqlite.js",
    },
    // Packages that are not modules call require.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
  rmSync(`${folder}/public`, { recursive: true, force: true });
  cpSync(`${root}public`, `${folder}/public`, { recursive: true });
  return { file, bytes: statSync(file).size };
}
