// `npm run serve -- --data ./data`: builds the file for one machine, and serves by it.
import { pathToFileURL } from "node:url";
import { buildHost } from "./host/build.ts";
import { serveOptions } from "./host/serve-options.ts";

serveOptions(process.argv.slice(2));
await import("./prepare.mjs");
const { file } = await buildHost();
process.argv = [process.execPath, file, "serve", ...process.argv.slice(2)];
await import(pathToFileURL(file).href);
