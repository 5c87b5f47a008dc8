/**
 * Settles the guesses of docs/shopify-assumptions.md at a development store, one by one: confirmed, contradicted, or not testable. It creates
 * its own records and cleans them up; contracts cannot be deleted, they stay cancelled. It exits with 1 if something is contradicted.
 *
 *   npm run shopify-check -- --shop NAME.myshopify.com --credentials FILE, or - for standard input
 *     [--customer NUMBER --variant NUMBER [--payment-method ID]]
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { credentialsSchema, freshConnection } from "../src/store/shopify/connection.ts";
import { readSecret } from "./account/secret.ts";
import { root } from "./paths.ts";
import { assumptionsIn } from "./shopify-check/assumptions.ts";
import { checkAssumptions } from "./shopify-check/checks.ts";

const text = { type: "string" } as const;
const { values } = parseArgs({
  options: { shop: text, credentials: text, customer: text, variant: text, "payment-method": text },
});
if (!values.shop || !values.credentials) {
  console.error("--shop and --credentials are required");
  process.exit(2);
}

const credentials = credentialsSchema.parse(JSON.parse(readSecret(values.credentials)));
const connection = await freshConnection(values.shop, credentials, Date.now());
const { customer, variant, "payment-method": paymentMethod } = values;
const checked = await checkAssumptions(
  connection,
  { customer, variant, paymentMethod },
  assumptionsIn(readFileSync(`${root}docs/shopify-assumptions.md`, "utf8")),
);
for (const { verdict, area, text: assumption, note } of checked)
  console.log(`${verdict.padEnd(12)}  ${area}: ${assumption}${note && ` (${note})`}`);
if (checked.some(({ verdict }) => verdict === "contradicted")) process.exitCode = 1;
