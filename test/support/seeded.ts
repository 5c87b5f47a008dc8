/** The parameters of a random test: it repeats its runs from a fixed seed, or from that of FUZZ_SEED. */
export function seeded(numRuns: number) {
  return {
    seed: Number(process.env.FUZZ_SEED ?? "20261121"),
    numRuns,
  };
}
