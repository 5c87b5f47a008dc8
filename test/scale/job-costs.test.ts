/** A job and a tick cost the documented statements and trips. */
import { beforeAll, describe, expect, test } from "vitest";
import { jobCosts, tickStatements } from "../../scripts/docs/figures.ts";
import type { Job } from "../../src/base/job.ts";
import { invocationLimits, mostStatements } from "../../src/runtime/jobs/budget.ts";
import { copiesOf } from "../support/copies.ts";
import { logged, processDue } from "../support/jobs.ts";
import { deliver, type Json } from "../support/shops.ts";
import { createDueToday, jobsByType, openAccount, shop, tick, worker } from "./jobs.setup.ts";

/** The log lines of jobs, delivered as one batch. */
async function linesOf(jobs: Json[]): Promise<Json[]> {
  const lines = await logged(() => deliver(jobs, { bindings: worker.bindings }));
  return lines.filter(({ event }) => event === "job");
}

beforeAll(openAccount);

describe("a job costs what is documented", () => {
  const cases = Object.entries(jobsByType).flatMap(([type, byTitle]) =>
    Object.entries(byTitle).map(
      ([title, jobs]) => [`${type}: ${title}`, type as Job["type"], title, jobs] as const,
    ),
  );

  test.each(cases)("%s", async (_, type, title, jobs) => {
    const sent = await jobs();
    worker.forget();
    const [line] = await linesOf(sent);
    const { db_round_trips: trips, db_statements: statements } = line as Json;
    expect({ trips, statements }).toEqual(jobCosts[type]?.[title]);
    expect(statements).toBeLessThanOrEqual(mostStatements[type]);
    await worker.drain();
  });

  test("a charge takes four trips at most", () => {
    const charges = Object.entries(jobCosts.charge ?? {});
    expect(charges.length).toBeGreaterThanOrEqual(5);
    for (const [name, { trips }] of charges) expect(trips, name).toBeLessThanOrEqual(4);
  });
});

describe("the cron tick", () => {
  test("runs as many statements as documented where one of each is due", async () => {
    expect((await tick()).length).toBe(tickStatements);
    await worker.drain();
  });
});

describe("ten messages of twenty subscriptions that fall due", () => {
  test("stay within what an invocation may run, and what is left comes in the next", async () => {
    const first = await createDueToday();
    const ids = [first, ...(await copiesOf(first, 199))];
    const pieces = Array.from({ length: 10 }, (_, nth) =>
      processDue(shop, ...ids.slice(20 * nth, 20 * (nth + 1))),
    );
    worker.forget();
    const lines = await linesOf(pieces);
    const statements = lines.reduce((sum, { db_statements }) => sum + db_statements, 0);
    expect(statements).toBeLessThanOrEqual(invocationLimits.statements);
    const types = worker.sent().map(({ type }) => type);
    expect(types.filter((type) => type === "process_due")).toHaveLength(10 - lines.length);
    expect(types.filter((type) => type === "charge")).toHaveLength(20 * lines.length);
  });
});
