// Stands in for "zod" in the Worker's bundle (`alias` in wrangler.toml): zod without its translations of error messages and what
// nothing here uses, a quarter of the script. The bundler cannot leave them out by itself, because zod-openapi passes all of zod as one object.
import * as z from "./zod-exports.js";

export * from "./zod-exports.js";
export { z, z as default };
