/** The parameters of a random test: it repeats its runs from a fixed seed, or from that of FUZZ_SEED. */
export const seeded = (numRuns: number) => ({
  seed: Number(process.env.FUZZ_SEED ?? "20261121"),
  numRuns,
});
