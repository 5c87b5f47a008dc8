import { defineConfig } from "vitest/config";

/** The tests of the one file whose mutants run (run.ts names them). */
export default defineConfig({
  test: {
    environment: "node",
    include: process.env.MUTATION_TESTS?.split(" ") ?? [],
    /** A test that a loaded machine slows down has not noticed a mutant. Stryker ends those that never end. */
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
