/**
 * Settles the assumptions of scripts/shopify-check/assumptions.json at a development store, as far as a check can: confirmed, contradicted, or not
 * testable. Each section that writes needs its flag. Verdicts are stored after each section. It exits with 1 if something is
 * contradicted, or could not be cleaned up.
 *
 *   npm run shopify-check -- --shop NAME.myshopify.com --credentials FILE [--plans] [--contracts] [--charge]
 */
import { readFileSync } from "node:fs";
import { commandLine, refuse } from "./command-line.ts";
import { head } from "./shopify-check/head.ts";
import { sectionNames } from "./shopify-check/section-names.ts";
import { assumptionsIn } from "./store-check/report.ts";

const usage = `Usage: npm run shopify-check -- --shop NAME.myshopify.com --credentials FILE [--plans] [--contracts] [--charge]
       npm run shopify-check -- --dry-run [--plans] [--contracts] [--charge]
       npm run shopify-check -- --list

Without flags it writes nothing to the store: topics, customer data, the cost of each query.

  --sold-contract   the number of a contract that somebody has bought at the checkout, which is read

  --plans           makes a selling plan group, and deletes it
  --contracts       makes contracts, and cancels them; needs --customer and --variant
  --charge          charges contracts by the store's test gateway; needs --payment-method too
  --dry-run         says what these flags would write, and asks nothing
  --list            prints every assumption with its source and its verdict

  --shop            a development store
  --credentials     a file with {"token": "…"} or {"client_id": "…", "secret": "…"}, or - for standard input
  --customer        the number of a customer, for whom contracts are made
  --variant         the number of a variant, by which contracts are made
  --payment-method  the id of a payment method of the customer
  --address         a file with the customer's address, as MailingAddressInput; by default the shop's own`;

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
const { values } = commandLine({
  usage,
  options: {
    ...{
      shop: text,
      credentials: text,
      customer: text,
      variant: text,
      "payment-method": text,
      "sold-contract": text,
      address: text,
    },
    ...{ plans: flag, contracts: flag, charge: flag, "dry-run": flag, list: flag },
  },
});
const { report, list } = assumptionsIn("shopify-check", head, sectionNames);
const flags = { ...values, read: true, checkout: values["sold-contract"] !== undefined };
const chosen = sectionNames.filter((name) => flags[name]);

if (values.list) list();
else {
  // The rest is loaded once the arguments are known to be right.
  if (!values["dry-run"] && !(values.shop && values.credentials))
    refuse("--shop and --credentials are required");
  const { sections } = await import("./shopify-check/sections.ts");
  const due = sections.filter(({ name }) => chosen.includes(name));
  if (values["dry-run"]) for (const { name, writes } of due) printWrites(name, writes);
  else await check(due);
}

function printWrites(name: string, writes: Record<string, string>): void {
  console.log(`${name}${Object.keys(writes).length === 0 ? ": writes nothing" : ""}`);
  for (const [operation, what] of Object.entries(writes)) console.log(`  ${operation.padEnd(24)}${what}`);
}

async function check(due: typeof import("./shopify-check/sections.ts")["sections"]): Promise<void> {
  const { credentialsSchema, openFreshConnection } = await import("../src/stores/shopify/app/connection.ts");
  const { readSecret } = await import("./account/secret.ts");
  const { askForRefusedGrant } = await import("./shopify-check/read/refused-grant.ts");
  const { runCheck } = await import("./shopify-check/run.ts");
  const { shop = "", customer, variant, "payment-method": paymentMethod } = values;
  const soldContract = values["sold-contract"];
  const credentials = credentialsSchema.parse(JSON.parse(readSecret(values.credentials ?? "")));
  const address = values.address === undefined ? undefined : JSON.parse(readFileSync(values.address, "utf8"));
  await runCheck({
    connection: await openFreshConnection(shop, credentials, Date.now()),
    sections: due,
    subjects: { customer, variant, paymentMethod, address, soldContract },
    refusedGrantStatus: "token" in credentials ? undefined : () => askForRefusedGrant(shop, credentials),
    date: new Date().toISOString().slice(0, 10),
    onSection: report,
  });
}
