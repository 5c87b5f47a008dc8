/** The bindings of vitest.config.ts besides those of wrangler.toml. */
declare namespace Cloudflare {
  interface Env {
    TEST_MIGRATIONS: import("cloudflare:test").D1Migration[];
    /** The schema that the migrations lead to. */
    TEST_SCHEMA: string[];
    /** Five calls a minute. */
    TEST_LIMITER: RateLimit;
    /** The engine of the tests' accounts. */
    TEST_ENGINE: "d1" | "object";
    /** The files and folders of the project `workers` whose accounts have an object each. */
    TEST_ON_OBJECTS: string[];
    /** The tests' database, behind D1's client (near-database.mjs). */
    NEAR: DurableObjectNamespace;
    /** A second database (replica.ts). */
    REPLICA: D1Database;
    JWT_PRIVATE_JWK: string;
    /** fast-check's seed and number of runs per operation. */
    FUZZ_SEED: string;
    FUZZ_RUNS: string;
    MODEL_RUNS: string;
  }
}
