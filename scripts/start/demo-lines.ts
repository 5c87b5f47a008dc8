import { demoApiKey, demoShop } from "../../src/base/demo.ts";

/** The addresses of a server with the demo store, as its terminal shows them. */
export function demoLines(address: string): string {
  return `
  Perennial    ${address}   (the first page signs you in, as a customer or as the owner)
  Try it       ${address}/api
  For agents   ${address}/mcp
  Portal       ${address}/portal/${demoShop}
  Console      ${address}/console/${demoShop}
  Demo store   ${demoShop}
  Demo key     ${demoApiKey}
`;
}
