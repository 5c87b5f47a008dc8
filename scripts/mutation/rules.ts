/**
 * A file whose rules must hold to the letter, with the tests that state them: only these may catch its mutants. A mutant meets the
 * tests that run its line, so what a file computes once and keeps is computed before all tests.
 */
export type RuleFile = { file: string; tests: string[] };

function lib(name: string, ...tests: string[]): RuleFile {
  return {
    file: `src/base/lib/${name}.ts`,
    tests: (tests.length > 0 ? tests : [name]).map((test) => `src/base/lib/${test}.test.ts`),
  };
}

function subscriptions(name: string, ...tests: string[]): RuleFile {
  return {
    file: `src/domain/subscriptions/${name}.ts`,
    tests: tests.map((test) => `src/domain/subscriptions/${test}.test.ts`),
  };
}

export const ruleFiles: RuleFile[] = [
  lib("money"),
  lib("versions"),
  lib("time/calendar"),
  lib("time/dates", "time/dates", "time/zones"),
  lib("time/zones"),
  lib("time/zone-rules"),
  lib("time/intervals"),
  { file: "src/base/amounts.ts", tests: ["src/base/amounts.test.ts"] },
  subscriptions(
    "lines/amounts",
    "lines/amounts",
    "lines/amounts-of-lines",
    "lines/amounts-properties",
    "lines/discount-cycles",
    "lines/price-changes",
  ),
  subscriptions(
    "dates/cadence",
    "dates/cadence",
    "dates/cadence-billing",
    "dates/next-after",
    "dates/open-days/indexes-to-come",
  ),
  subscriptions("dates/schedule", "dates/schedule", "dates/next-after", "dates/restarting"),
  subscriptions("dates/next-after", "dates/schedule", "dates/next-after", "dates/skipping"),
  subscriptions("dates/restarting", "dates/schedule", "dates/restarting"),
  subscriptions("dates/single-move", "dates/single-move"),
  subscriptions("lifecycle", "lifecycle"),
  { file: "src/domain/retries/policy.ts", tests: ["src/domain/retries/policy.test.ts"] },
  lib("backoff"),
  { file: "src/base/lib/log.ts", tests: ["test/tools/log-lines.test.ts"] },
  { file: "src/base/lib/contrast.ts", tests: ["src/edges/portal/pages/theme.test.ts"] },
  lib("places/countries"),
  lib("secrets/crc32"),
  lib("csv-cells"),
  lib("defined-fields", "diff"),
  lib("diff"),
  lib("encoding"),
  lib("ids", "encoding"),
  lib("once"),
  lib("email-address"),
  lib("places/postal-codes"),
  lib("places/provinces"),
  lib("public-host"),
  lib("secrets/sealed"),
  lib("secrets/signed"),
  lib("secrets/standard-webhooks"),
  lib("text"),
  lib("time/timezones"),
  lib("ttl-cache"),
  { file: "src/base/db/commit.ts", tests: ["src/base/db/commit.test.ts"] },
  {
    file: "src/kit/http/idempotency/idempotency.ts",
    tests: [
      "test/kit/http/idempotency/middleware.node.test.ts",
      "test/kit/http/idempotency/storage.node.test.ts",
    ],
  },
  {
    file: "src/kit/http/idempotency/idempotency-key.ts",
    tests: ["test/kit/http/idempotency/middleware.node.test.ts"],
  },
  {
    file: "src/kit/http/idempotency/idempotency-rows.ts",
    tests: [
      "test/kit/http/idempotency/middleware.node.test.ts",
      "test/kit/http/idempotency/storage.node.test.ts",
    ],
  },
];
