import { randomBytes } from "node:crypto";
import { accessSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { exportJWK, generateKeyPair } from "jose";
import { defineConfig } from "vitest/config";
import { localDevelopment } from "./src/host/settings.ts";
import { fewModules } from "./test/support/few-modules.ts";
import { loadAtOnce } from "./test/support/load-at-once.ts";
import { LongFirst } from "./test/support/long-first.ts";
import { schemaStatements } from "./test/support/schema.ts";

await import("./scripts/prepare.mjs");

/**
 * Messages that are sent wait in a queue that nobody consumes: the real consumer would deliver one file's messages into the next
 * file's database. Tests hand messages to the consumer themselves.
 */
const unconsumed = "unconsumed";

/** The options of all projects. */
const common = {
  silent: "passed-only" as const,
  /** One more than there are processors: a file often waits, for its Worker, the browser or a server. With two more all take as long. */
  maxWorkers: availableParallelism() + 1,
  /** A loaded machine of two cores takes many times as long as an idle one; no test asserts how long it took. */
  ...{ testTimeout: 120_000, hookTimeout: 120_000 },
};

/** A project with a Vite of its own would have it read this file again. */
const apart = { extends: false as const };

/** The database of the tests (test/support/near-database.mjs), which D1's client is led to by test/support/setup.ts. */
const nearDatabase = {
  name: "near-database",
  modules: true,
  scriptPath: `${import.meta.dirname}/test/support/near-database.mjs`,
  compatibilityDate: "2026-01-01",
  durableObjects: { NEAR: { className: "NearDatabase", useSQLite: true } },
};

/** Whether this directory can take the tests' databases, a few hundred megabytes at most. */
const hasRoom = (directory: string): boolean => {
  try {
    accessSync(directory, constants.W_OK);
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize > 1_000_000_000;
  } catch {
    return false;
  }
};

/**
 * The temporary files of a run, its databases among them, are in a folder that goes with it. No test has to wait until a disk has them:
 * Linux has a directory in memory.
 */
const inMemory = !process.env.TMPDIR && hasRoom("/dev/shm");
const temporary = mkdtempSync(join(inMemory ? "/dev/shm" : tmpdir(), "perennial-tests-"));
process.env.TMPDIR = temporary;
process.once("exit", () => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 }));

const { privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });

const bindings = {
  /** Not the local server, which answers to its own host name only. */
  ENVIRONMENT: "test",
  PUBLIC_URL: "https://perennial.test",
  TEST_MIGRATIONS: await readD1Migrations("migrations"),
  TEST_SCHEMA: schemaStatements(),
  FUZZ_SEED: process.env.FUZZ_SEED ?? "20261121",
  FUZZ_RUNS: process.env.FUZZ_RUNS ?? "10",
  /** Random lives of subscriptions; CI lives more of them, and sends more random requests. */
  MODEL_RUNS: process.env.MODEL_RUNS ?? "30",
  STORE_CREDENTIALS_KEY: randomBytes(32).toString("base64"),
  JWT_PRIVATE_JWK: JSON.stringify(await exportJWK(privateKey)),
  SECURITY_CONTACT: "mailto:security@perennial.test",
};

/**
 * The tests that run on objects too, because they depend on how an engine stores: what is atomic and where a write may be cut off
 * (what is due at once, faults, requests that come twice, jobs of many rows, links that are spent once, the last place of a slot's day, offers
 * taken at once), keys and clocks that the directory knows, and one journey of each job (billing, dunning, reminders, reconciling,
 * contracts at the store, events sent, webhooks worked on, set-up, erasure). A test that only reads, refuses or words a request is about the same
 * code on both engines and runs on D1 alone; on objects the walk of the document (test/runtime/objects/walk.test.ts) reads and writes by
 * each operation once. Moves have objects in the project `host` (test/edges/operator), alarms in `workers` (test/runtime/engine).
 *
 * Tests that cut the line to D1 interrupt the batches of the objects too (test/support/watched-object.ts). Not among them are
 * files that send endless bodies, which the tests' objects take whole, that keep several objects waiting at once, which the
 * runner of the tests cannot, that measure what D1 reports, or that change the schema. Tests that concern objects alone, and need
 * the support's rows there, are in test/runtime/objects/.
 */
const onBothEngines = [
  "test/contract/{idempotency,previews}.test.ts",
  "test/domain/goods/runs.test.ts",
  "test/edges/portal/{sign-in,store-sessions}.test.ts",
  "test/runtime/jobs/rows.test.ts",
  "test/domain/billing/{due-together,faults,journeys,reconcile,reminders}.test.ts",
  "test/domain/cancellation/cases.test.ts",
  "test/domain/delivery/{counts-model,cutoff,over-full,room}.test.ts",
  "test/domain/closed-days/closed-days.test.ts",
  "test/domain/events/stream.test.ts",
  "test/domain/declarations/leaving.test.ts",
  "test/domain/explain/*.test.ts",
  "test/domain/exports/{access,exports,moving-back}.test.ts",
  "test/edges/auth/{made-by-key,revocation}.test.ts",
  "test/domain/imports/moved.test.ts",
  "test/edges/console/jobs.test.ts",
  "test/domain/mail/mails.test.ts",
  "test/domain/orders/refund-crashes.test.ts",
  "test/domain/subscriptions/as-of.test.ts",
  "test/domain/subscriptions/ends/consents.test.ts",
  "test/edges/portal/customer-bounds.test.ts",
  "test/edges/settings/{account,test-clock}.test.ts",
  "test/stores/shopify/{billing,install}.test.ts",
  "test/stores/stripe/disputes.test.ts",
  "test/domain/webhook-endpoints/{endpoints,erasure,resealed}.test.ts",
  "test/edges/webhooks/{delayed-work,redact-customer,redact-shop,uninstalled}.test.ts",
];

/** The tests on the runtime's own objects: where a write may be cut off, and what concerns objects alone. The others are on objects within Node. */
const onObjects = ["test/domain/billing/crash-points.test.ts", "test/runtime/objects/*.test.ts"];

/** The storage port of objects, as src/base/db/client.ts imports it, with tests around its batches. */
const watchedObject = {
  find: /^\.\/object\.ts$/,
  replacement: `${import.meta.dirname}/test/support/watched-object.ts`,
};

/** The tests that need no Worker: of pure rules, of tools, and of what else a room has that runs on Node. */
const onNode = ["src/**/*.test.ts", "test/tools/**/*.test.ts", "test/**/*.node.test.ts"];

/**
 * The tests that run on the runtime, workerd, because they are about what it gives or counts: requests as it parses them, rows read and
 * written, objects and their alarms, queues, caches, replicas; and the walk over all operations.
 */
const onRuntime = [
  "test/contract/{client,headers}.test.ts",
  "test/domain/billing/simulator.test.ts",
  "test/domain/closed-days/walk.test.ts",
  "test/domain/delivery/counts-moved.test.ts",
  "test/domain/exports/rows-read.test.ts",
  "test/domain/goods/runs.test.ts",
  "test/domain/imports/pages.test.ts",
  "test/domain/mail/reminder-rules.test.ts",
  "test/domain/profiles/upload-limits.test.ts",
  "test/edges/{docs,health}/**",
  "test/edges/auth/api-keys.test.ts",
  "test/edges/portal/sign-in.test.ts",
  "test/edges/webhooks/{receive,unheard-challenges}.test.ts",
  "test/kit/{http/idempotency,journal}/**",
  "test/kit/http/{cors,counting,local-host,long-answers,public-address,rate-limit,replicas}.test.ts",
  "test/runtime/engine/**",
  "test/runtime/jobs/{accounts-due,batch,consumer,reconciliations-due,resume}.test.ts",
  "test/scale/!(charge-content|counters|expired-sessions|pages|renewals).test.ts",
  "test/storage/d1.test.ts",
].map((path) => (path.endsWith("**") ? `${path}/*.test.ts` : path));

/** EVERYWHERE=on runs the others there too, which takes ten minutes more. */
const isEverywhere = process.env.EVERYWHERE === "on";

/** Files that run on the Worker itself. Their processes, of which each loads a thousand modules, serve those on both engines. */
const onWorker = {
  ...apart,
  plugins: [
    cloudflareTest({
      wrangler: { configPath: "./wrangler.toml" },
      miniflare: {
        cf: false,
        bindings: {
          ...bindings,
          TEST_ENGINE: "d1",
          TEST_ON_OBJECTS: onObjects.map((path) => path.replace("*.test.ts", "")),
        },
        ratelimits: {
          TEST_LIMITER: { namespace_id: "9001", simple: { limit: 5, period: 60 } },
          /** Tests of other things begin as often as they like. */
          SETUPS_LIMITER: { namespace_id: "9002", simple: { limit: 100_000, period: 60 } },
        },
        d1Databases: { REPLICA: "replica" },
        queueProducers: { JOBS: unconsumed, EVENTS: unconsumed },
        durableObjects: { NEAR: { className: "NearDatabase", scriptName: "near-database", useSQLite: true } },
        workers: [nearDatabase],
      },
    }),
    fewModules(),
    loadAtOnce(`${import.meta.dirname}/src/`),
  ],
  resolve: { alias: [watchedObject] },
  test: {
    name: "workers",
    ...common,
    include: isEverywhere ? ["test/**/*.test.ts"] : [...onRuntime, ...onObjects],
    exclude: [...onNode, "test/browser/**", "test/storage/host.test.ts"],
    setupFiles: ["./test/support/runtime-setup.ts", "./test/support/setup.ts"],
    isolate: false,
    deps: {
      optimizer: {
        ssr: {
          enabled: true,
          include: [
            "@cfworker/json-schema",
            "@hono/swagger-ui",
            "@hono/zod-openapi",
            "drizzle-orm",
            "drizzle-orm/sqlite-core",
            "drizzle-orm/sqlite-proxy",
            "fast-check",
            "graphql",
            "hono",
            "hono/accepts",
            "hono/body-limit",
            "hono/cookie",
            "hono/cors",
            "hono/etag",
            "hono/html",
            "hono/http-exception",
            "hono/route",
            "hono/secure-headers",
            "jose",
            "standardwebhooks",
            "uuid",
            "yaml",
            "zod",
          ],
        },
      },
    },
  },
};

/** Node itself loads the modules (test/support/host/imports.ts), as they stand. */
const onNodeItself = {
  experimental: { viteModuleRunner: false, nodeLoader: false },
  execArgv: ["--import", `${import.meta.dirname}/test/support/host/imports.ts`],
};

/** Files that run within Node, where the same code takes two fifths of the time; their accounts are on this engine. */
const onHost = (name: string, engine: "d1" | "object", include: string[]) => ({
  test: {
    name,
    ...common,
    ...onNodeItself,
    environment: "node" as const,
    env: { TEST_BINDINGS: bindingsOnNode, TEST_ENGINE: engine },
    include,
    exclude: [
      ...onNode,
      ...(engine === "d1" ? [...onRuntime, "test/runtime/objects/**"] : []),
      "test/browser/**",
    ],
    setupFiles: ["openapi-first", "host/setup", "setup"].map((name) => `./test/support/${name}.ts`),
    isolate: false,
  },
});

const bindingsOnNode = `${temporary}/bindings.json`;
writeFileSync(bindingsOnNode, JSON.stringify({ ...localDevelopment, ...bindings }));

export default defineConfig({
  test: {
    ...common,
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          name: "rules",
          ...common,
          environment: "node",
          include: onNode,
          /** Files share a process: to load the modules anew for each takes longer than most of the tests. */
          isolate: false,
          setupFiles: ["./test/support/openapi-first.ts"],
        },
      },
      {
        ...apart,
        resolve: {
          alias: {
            "cloudflare:workers": `${import.meta.dirname}/src/host/runtime.ts`,
            "cloudflare:sockets": `${import.meta.dirname}/src/host/network/sockets.ts`,
          },
        },
        test: {
          name: "browser",
          ...common,
          environment: "node",
          isolate: false,
          include: ["test/browser/**/*.test.ts"],
          globalSetup: ["./test/browser/global-setup.ts"],
        },
      },
      onHost("host", "d1", ["test/**/*.test.ts"]),
      onHost("host-objects", "object", onBothEngines),
      onWorker,
    ],
  },
});
