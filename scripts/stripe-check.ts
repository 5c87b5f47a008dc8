/**
 * Settles the assumptions of scripts/stripe-check/assumptions.json at an account in test mode, as far as a check can: confirmed, contradicted, or not
 * testable. Verdicts are stored after each part. It exits with 1 if something is contradicted, or could not be cleaned up.
 *
 *   STRIPE_SECRET_KEY=sk_test_… npm run stripe-check
 */
import { commandLine, refuse } from "./command-line.ts";
import { assumptionsIn } from "./store-check/report.ts";
import { head } from "./stripe-check/head.ts";
import { runCheck } from "./stripe-check/run.ts";
import { sections } from "./stripe-check/sections.ts";

const sectionNames = sections.map(({ name }) => name);

const usage = `Usage: STRIPE_SECRET_KEY=sk_test_… npm run stripe-check [-- --only ${sectionNames.slice(0, 2).join(",")}]
       npm run stripe-check -- --dry-run
       npm run stripe-check -- --list

Asks an account in test mode. A key of live mode is refused. Customers and endpoints that it makes are deleted, test payments stay.

  --only     the parts to run, of ${sectionNames.join(", ")}
  --dry-run  says what each part writes, and asks nothing
  --list     prints every assumption with its source and its verdict`;

const { values } = commandLine({
  usage,
  options: { only: { type: "string" }, "dry-run": { type: "boolean" }, list: { type: "boolean" } },
});
const { report, list } = assumptionsIn("stripe-check", head, sectionNames);
const names = values.only?.split(",") ?? sectionNames;
const unknown = names.filter((name) => !sectionNames.includes(name));
if (unknown.length > 0) refuse(`--only knows no part ${unknown.join(", ")}`);
const due = sections.filter(({ name }) => names.includes(name));

if (values.list) list();
else if (values["dry-run"]) for (const { name, writes } of due) console.log(`${name.padEnd(16)}${writes}`);
else await check(process.env.STRIPE_SECRET_KEY ?? "");

async function check(secretKey: string): Promise<void> {
  if (!/^(sk|rk)_test_/.test(secretKey)) refuse("STRIPE_SECRET_KEY must be a key of test mode");
  await runCheck({
    connection: { secretKey },
    sections: due,
    date: new Date().toISOString().slice(0, 10),
    runId: crypto.randomUUID(),
    onSection: report,
  });
}
