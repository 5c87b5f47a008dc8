/**
 * Settles the guesses of docs/shopify-assumptions.md at a development store, one by one: confirmed, contradicted, or not testable. It creates
 * its own records and cleans them up; contracts cannot be deleted, they stay cancelled. It exits with 1 if something is contradicted.
 *
 *   npm run shopify-check -- --shop NAME.myshopify.com --credentials FILE, or - for standard input
 *     [--customer NUMBER --variant NUMBER [--payment-method ID]]
 */
import { readFileSync } from "node:fs";
import { commandLine, refuse } from "./command-line.ts";
import { root } from "./paths.ts";
import { assumptionsIn } from "./shopify-check/assumptions.ts";

const usage = `Usage: npm run shopify-check -- --shop NAME.myshopify.com --credentials FILE [--customer NUMBER --variant NUMBER]

  --shop            a development store
  --credentials     a file with {"token": "…"} or {"client_id": "…", "secret": "…"}, or - for standard input
  --customer        a customer of it, for whom contracts are made and cancelled
  --variant         a variant of it, by which contracts are made
  --payment-method  one of the customer's, if contracts need one`;

const text = { type: "string" } as const;
const { values } = commandLine({
  usage,
  options: { shop: text, credentials: text, customer: text, variant: text, "payment-method": text },
});
if (!values.shop || !values.credentials) refuse("--shop and --credentials are required");

// The rest is loaded once the arguments are known to be right.
const { credentialsSchema, openFreshConnection } = await import("../src/stores/shopify/connection.ts");
const { readSecret } = await import("./account/secret.ts");
const { checkAssumptions } = await import("./shopify-check/checks.ts");

const credentials = credentialsSchema.parse(JSON.parse(readSecret(values.credentials)));
const connection = await openFreshConnection(values.shop, credentials, Date.now());
const { customer, variant, "payment-method": paymentMethod } = values;
const checked = await checkAssumptions(
  connection,
  { customer, variant, paymentMethod },
  assumptionsIn(readFileSync(`${root}docs/shopify-assumptions.md`, "utf8")),
);
for (const { verdict, area, text: assumption, note } of checked)
  console.log(`${verdict.padEnd(12)}  ${area}: ${assumption}${note && ` (${note})`}`);
if (checked.some(({ verdict }) => verdict === "contradicted")) process.exitCode = 1;
