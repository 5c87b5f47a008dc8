import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

/** Imports of a file's text, as the tests' bundler knows them (`…?raw`). */
registerHooks({
  load: (url, context, next) =>
    url.endsWith("?raw")
      ? {
          format: "module",
          source: `export default ${JSON.stringify(readFileSync(fileURLToPath(url), "utf8"))}`,
          shortCircuit: true,
        }
      : next(url, context),
});
