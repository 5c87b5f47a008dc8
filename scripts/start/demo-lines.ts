import { demoApiKey, demoShop } from "../../src/base/demo.ts";

/** The addresses of a server with the demo store, as its terminal shows them. */
export function demoLines(address: string): string {
  return `
  Perennial    ${address}   (its first page signs a demo customer in)
  Try it       ${address}/api
  For agents   ${address}/mcp
  Portal       ${address}/portal/${demoShop}
  Console      ${address}/console/${demoShop}   (the first page signs its owner in)
  Demo store   ${demoShop}
  Demo key     ${demoApiKey}
`;
}
