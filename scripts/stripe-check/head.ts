/** The head of the list of what is assumed of Stripe. */
export const head = `# What the adapter assumes of Stripe

Each behaviour of the fake Stripe account (test/support/fake-stripe) that the adapter relies on, with its source, or as a guess. Paths
without a host are below docs.stripe.com; the version is 2026-10-28.endive. Each names the part of the check that settles it, or why none does.
`;
