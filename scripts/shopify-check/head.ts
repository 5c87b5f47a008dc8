/** The head of the list of what is assumed of Shopify. */
export const head = `# What the adapter assumes of Shopify

Each behaviour of the fake store (test/support/fake-shopify) that the adapter relies on, with its source, or as a guess. "Schema" is the
published Admin schema 2026-10; paths without a host are below shopify.dev/docs. Each names the part of the check that settles it, or why
none does: read writes nothing, checkout reads the contract that --sold-contract names, and plans, contracts and charge need their flags.
`;
