/** The head of docs/shopify-assumptions.md. */
export const head = `# What the adapter assumes of Shopify

<!-- Made from docs/shopify-assumptions.json by npm run shopify-check -- --page -->

Each behaviour of the fake store (\`test/support/fake-shopify\`) that the adapter relies on is listed with its source, or as a guess.
_Schema_ is the published Admin schema 2026-10; paths without a host are below shopify.dev/docs.

\`npm run shopify-check\` settles assumptions at a development store ([shopify.md](shopify.md#how-it-is-proven)). Each names the part of
the check that does so, or why none does: \`read\` writes nothing, \`checkout\` reads the contract that \`--sold-contract\` names, and
\`plans\`, \`contracts\` and \`charge\` need the flag of their name.
`;
