import { root } from "./paths.ts";

/** Packages without what nothing here uses, as a bundler finds them; wrangler has the same in wrangler.toml. */
export const lighterPackages = {
  zod: `${root}bundle/zod.js`,
  "zod/v4": `${root}bundle/zod.js`,
  "@modelcontextprotocol/server/_shims": `${root}bundle/mcp-shims.js`,
};
