/** The head of docs/stripe-assumptions.md. */
export const head = `# What the adapter assumes of Stripe

<!-- Made from docs/stripe-assumptions.json by npm run stripe-check -- --page -->

Each behaviour of the fake Stripe account (\`test/support/fake-stripe\`) that the adapter relies on is listed with its source, or as a
guess. Paths without a host are below docs.stripe.com; the version is 2026-10-28.endive.

\`npm run stripe-check\` settles assumptions at a real account in test mode. Each names the part of the check that does so, or why none
does. A key of live mode is refused.
`;
