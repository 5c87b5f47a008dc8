/** Staging and production have every binding and limit that local development has. */
import { describe, expect, test } from "vitest";
import { experimental_readRawConfig, unstable_readConfig } from "wrangler";
import { mostConsumersOfAccount } from "../../src/domain/webhook-endpoints/outbox.ts";
import { setupsPerWindow } from "../../src/kit/http/rate-limit.ts";

type Section = {
  vars: Record<string, string>;
  d1_databases: { binding: string; database_name: string; migrations_dir: string }[];
  queues: {
    producers: { binding: string; queue: string }[];
    consumers: Record<string, string | number>[];
  };
  durable_objects: { bindings: { name: string; class_name: string }[] };
  migrations: { tag: string; new_sqlite_classes: string[] }[];
  triggers: { crons: string[] };
  ratelimits: { name: string; namespace_id: string; simple: { limit: number; period: number } }[];
  main: string;
  assets: { binding: string; directory: string };
  observability: { enabled: boolean; logs: { enabled: boolean; invocation_logs: boolean } };
};

const { rawConfig } = experimental_readRawConfig({ config: "wrangler.toml" });
const { env, ...local } = rawConfig as unknown as Section & { env: Record<string, Section> };
const sections: [string, Section][] = [["local", local], ...Object.entries(env)];

function bindingsOf({
  vars,
  d1_databases,
  durable_objects,
  migrations,
  queues,
  ratelimits,
  assets,
  triggers,
}: Section) {
  return {
    objects: durable_objects.bindings,
    classes: migrations,
    vars: Object.keys(vars).sort(),
    databases: d1_databases.map(({ binding, migrations_dir }) => [binding, migrations_dir]),
    producers: queues.producers.map(({ binding }) => binding),
    consumers: queues.consumers.map(({ queue: _, dead_letter_queue, ...options }) => ({
      ...options,
      hasDeadLetters: dead_letter_queue !== undefined,
    })),
    limits: ratelimits.map(({ name }) => name).sort(),
    assets: assets.binding,
    triggers,
  };
}

test("an account is sent for by a quarter of the consumers of deliveries at most", () => {
  const consumers = sections.map(([, { queues }]) =>
    queues.consumers.find(({ queue }) => /-events$/.test(String(queue))),
  );
  for (const consumer of consumers)
    expect(consumer).toMatchObject({ max_batch_size: 1, max_concurrency: 4 * mostConsumersOfAccount });
});

test("there are staging and production beside local development", () => {
  expect(sections.map(([name]) => name)).toEqual(["local", "staging", "production"]);
});

describe.each(sections)("%s", (name, section) => {
  test("has the bindings that local development has: nothing is inherited", () => {
    expect(bindingsOf(section)).toEqual(bindingsOf(local));
  });

  test("serves the assets that belong to its script: those of the sources, or those that were made with it", () => {
    const own = name === "local" ? ["src/worker.ts", "public"] : ["build/worker/worker.js", "build/public"];
    expect([section.main, section.assets.directory]).toEqual(own);
  });

  test("shows callers the limits that it binds", () => {
    const limitOf = (limiter: string) => section.ratelimits.find((one) => one.name === limiter)?.simple;
    expect(limitOf("KEY_LIMITER")).toEqual({ limit: Number(section.vars.RATE_LIMIT_PER_KEY), period: 60 });
    expect(limitOf("ADDRESS_LIMITER")).toEqual({
      limit: Number(section.vars.RATE_LIMIT_PER_ADDRESS),
      period: 60,
    });
    expect(limitOf("TOKENS_LIMITER")?.limit).toBe(5 * Number(section.vars.RATE_LIMIT_PER_KEY));
    expect(limitOf("SETUPS_LIMITER")).toEqual({ limit: setupsPerWindow, period: 60 });
    const [key, address] = name === "local" ? [100_000, 100_000] : [600, 120];
    expect([limitOf("KEY_LIMITER")?.limit, limitOf("ADDRESS_LIMITER")?.limit]).toEqual([key, address]);
  });

  test("sets every option of every queue consumer, for defaults differ between here and the platform", () => {
    expect(section.queues.consumers).toHaveLength(3);
    for (const consumer of section.queues.consumers)
      for (const option of [
        "max_batch_size",
        "max_batch_timeout",
        "max_retries",
        "retry_delay",
        "max_concurrency",
      ])
        expect(consumer[option], `${consumer.queue} ${option}`).toEqual(expect.any(Number));
  });

  test("consumes what it produces, and its dead letters", () => {
    const consumed = section.queues.consumers.map(({ queue }) => queue);
    expect(section.queues.producers).toHaveLength(2);
    for (const { queue } of section.queues.producers) expect(consumed).toContain(queue);
    const deadLetters = section.queues.consumers.flatMap(({ dead_letter_queue }) => dead_letter_queue ?? []);
    expect(deadLetters).toHaveLength(2);
    for (const queue of deadLetters) expect(consumed).toContain(queue);
  });

  test("gives endpoints a queue of their own, whose messages wait for no other endpoint's", () => {
    const queueOf = (binding: string) =>
      section.queues.producers.find((producer) => producer.binding === binding)?.queue;
    expect(queueOf("EVENTS")).toBeDefined();
    expect(queueOf("EVENTS")).not.toBe(queueOf("JOBS"));
    const consumer = section.queues.consumers.find(({ queue }) => queue === queueOf("EVENTS"));
    expect(consumer?.max_batch_size).toBe(1);
    expect(consumer?.max_concurrency).toBeGreaterThan(1);
  });

  test("knows its own name, and is observed", () => {
    expect(section.vars.ENVIRONMENT).toBe(name);
    expect(section.observability.enabled).toBe(true);
  });

  test("keeps its own log lines, and none of the platform's, which hold queries", () => {
    expect(section.observability.logs).toEqual({ enabled: true, invocation_logs: false });
  });

  test("has test clocks only if it is not production", () => {
    expect(section.vars.TEST_CLOCKS).toBe(name === "production" ? "off" : "on");
  });
});

test("no environment's fetch reaches what stands behind other hosts of its zone", () => {
  for (const name of [undefined, ...Object.keys(env)]) {
    const { compatibility_flags } = unstable_readConfig({ config: "wrangler.toml", env: name });
    expect(compatibility_flags).toContain("global_fetch_strictly_public");
  }
});

test("environments share no queue, no database and no counter", () => {
  const all = sections.flatMap(([, section]) => [
    ...section.queues.consumers.map(({ queue }) => queue),
    ...section.d1_databases.map(({ database_name }) => database_name),
    ...section.ratelimits.map(({ namespace_id }) => namespace_id),
  ]);
  expect(new Set(all).size).toBe(all.length);
});
