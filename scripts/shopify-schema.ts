/**
 * Brings Shopify's published Admin schema up to date with what the adapter asks: validates every document of
 * src/stores/shopify/documents.ts against the whole schema, then writes the part of it that they use to
 * test/stores/shopify/admin-2026-10.graphql, which the tests validate against and the fake store executes.
 *
 *   npm run shopify-schema
 *
 * Run it after a change of the documents. The schema comes out of Shopify's own package (`npm pack`, into a folder
 * that is deleted again); the package is no dependency. The same documents give the same file.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import {
  buildClientSchema,
  type DocumentNode,
  extendSchema,
  type GraphQLSchema,
  parse,
  validate,
} from "graphql";
import * as documents from "../src/stores/shopify/documents.ts";
import { registrable } from "../src/stores/shopify/topics.ts";
import { commandLine } from "./command-line.ts";
import { root } from "./paths.ts";
import * as checkDocuments from "./shopify-check/documents.ts";
import { reduced } from "./shopify-schema/reduced.ts";

commandLine({
  usage: `Usage: npm run shopify-schema

Validates the adapter's documents against Shopify's published schema, and writes the part of it that they use.`,
  options: {},
});

const apiVersion = "2026-10";
const source = "@shopify/dev-mcp@1.16.0";
const tarball = "shopify-dev-mcp-1.16.0.tgz";
const entry = `package/dist/data/admin_${apiVersion}.json.gz`;
const target = `test/stores/shopify/admin-${apiVersion}.graphql`;

function npm(args: string[], cwd: string): void {
  const cli = process.env.npm_execpath;
  const [command, first] = cli ? [process.execPath, [cli]] : ["npm", []];
  execFileSync(command, [...first, ...args], { cwd, stdio: ["ignore", "ignore", "inherit"], shell: !cli });
}

function publishedSchema(): GraphQLSchema {
  const folder = mkdtempSync(join(tmpdir(), "shopify-schema-"));
  try {
    npm(["pack", source, "--silent"], folder);
    execFileSync("tar", ["-xzf", tarball, entry], { cwd: folder });
    const introspection = JSON.parse(gunzipSync(readFileSync(join(folder, entry))).toString("utf8"));
    return buildClientSchema(introspection.data ?? introspection, { assumeValid: true });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Shopify documents these operations for this version, but its package does not have them yet. */
function withCalculations(schema: GraphQLSchema): GraphQLSchema {
  if (schema.getType("SubscriptionContractCalculation")) return schema;
  const documented = readFileSync(`${root}scripts/shopify-schema/calculations.graphql`, "utf8");
  return extendSchema(schema, parse(documented), { assumeValid: true });
}

const parsed: [string, DocumentNode][] = Object.entries({
  ...documents,
  ...checkDocuments,
}).map(([name, text]) => [name, parse(text)]);

/** The faults of the documents by the schema: fields and types that it does not know. */
function faultsIn(schema: GraphQLSchema): string[] {
  return parsed.flatMap(([name, document]) =>
    validate(schema, document).map(({ message }) => `${name}: ${message}`),
  );
}

function stopAt(where: string, faults: string[]): void {
  if (faults.length === 0) return;
  for (const fault of faults) console.error(`${where}: ${fault}`);
  process.exit(1);
}

const published = withCalculations(publishedSchema());
stopAt("The published schema", faultsIn(published));
const { schema, text } = reduced(
  published,
  parsed.map(([, document]) => document),
  new Set(registrable.map(({ topic }) => topic)),
);
stopAt("The reduced schema", faultsIn(schema));
writeFileSync(`${root}${target}`, text);
execFileSync(
  process.execPath,
  [`${root}node_modules/@biomejs/biome/bin/biome`, "format", "--write", target],
  {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  },
);
console.log(`${parsed.length} documents are valid against Admin ${apiVersion}; wrote ${target}`);
