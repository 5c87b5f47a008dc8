/** A batch of messages is worked on side by side within its limits, and one that fails holds up no other. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Job } from "../../../src/base/job.ts";
import { type BatchPorts, type Delivered, workBatch } from "../../../src/runtime/jobs/batch.ts";
import { mostStatements } from "../../../src/runtime/jobs/budget.ts";
import { seeded } from "../../support/records.ts";

function charge(nth: number): Job {
  return { type: "charge", account_id: "a", attempt_id: `attempt-${nth}` };
}
const most = mostStatements.charge;

type Work = { isDone?: boolean; statements?: number };

/** Works on so many charges, of which the n-th does what is told; returns what has become of each, and how they ran. */
async function run(
  works: Work[],
  { statements = 10 * most, beginMs = 60_000, atOnce = 5 } = {},
  { takes = true, msOfEach = 0 } = {},
) {
  const outcomes: string[][] = works.map(() => []);
  let [running, mostRunning, used, elapsed] = [0, 0, 0, 0];
  const batch = works.map((_, nth): Delivered & { nth: number } => ({
    nth,
    job: charge(nth),
    ack: () => outcomes[nth]?.push("acknowledged"),
    retry: () => outcomes[nth]?.push("retried"),
  }));
  const ports: BatchPorts<(typeof batch)[number]> = {
    limits: { statements, beginMs, atOnce },
    elapsed: () => elapsed,
    work: async ({ nth }) => {
      mostRunning = Math.max(mostRunning, ++running);
      await new Promise((resolve) => setTimeout(resolve, (nth * 7) % 5));
      running--;
      elapsed += msOfEach;
      const { isDone = true, statements = 1 } = works[nth] as Work;
      used += statements;
      outcomes[nth]?.push("worked");
      return { isDone, statements };
    },
    sendAgain: async (jobs) => {
      if (takes) for (const { nth, job } of batch) if (jobs.includes(job)) outcomes[nth]?.push("sent again");
      return takes;
    },
  };
  await workBatch(batch, ports);
  return { outcomes, mostRunning, used };
}

function tenOf(work: Work): Work[] {
  return Array.from({ length: 10 }, () => work);
}

describe("a batch of messages", () => {
  test("is worked on side by side, so many at once", async () => {
    const { outcomes, mostRunning } = await run(tenOf({}));
    expect(mostRunning).toBe(5);
    expect(outcomes).toEqual(tenOf({}).map(() => ["worked", "acknowledged"]));
  });

  test("a message whose job fails is retried by itself", async () => {
    const { outcomes } = await run([{}, { isDone: false }, {}]);
    expect(outcomes).toEqual([
      ["worked", "acknowledged"],
      ["worked", "retried"],
      ["worked", "acknowledged"],
    ]);
  });

  test("what does not fit is sent again, and no delivery counts as failed", async () => {
    const { outcomes, used } = await run(tenOf({ statements: most }), { statements: 3 * most });
    expect(used).toBe(3 * most);
    expect(outcomes.filter((each) => each.join() === "worked,acknowledged")).toHaveLength(3);
    expect(outcomes.filter((each) => each.join() === "sent again,acknowledged")).toHaveLength(7);
  });

  test("what the queue does not take is retried", async () => {
    const { outcomes } = await run(tenOf({ statements: most }), { statements: most }, { takes: false });
    expect(outcomes.map((each) => each.at(-1))).toEqual(["acknowledged", ...Array(9).fill("retried")]);
  });

  test("what has begun is reserved: those side by side fit together", async () => {
    const { mostRunning, used } = await run(tenOf({ statements: most }), { statements: 2 * most + 1 });
    expect([mostRunning, used]).toEqual([2, 2 * most]);
  });

  test("what a job has not used is left to the others", async () => {
    const { outcomes } = await run(tenOf({ statements: 1 }), { statements: most + 10 });
    expect(outcomes.flat().filter((each) => each === "worked")).toHaveLength(10);
  });

  test("messages about one subscription are worked on in their order, one at a time, whatever fits", async () => {
    const about = (subscription_id: string, type: "charge" | "sync_contract"): Job =>
      type === "charge"
        ? { type, account_id: "a", attempt_id: `attempt of ${subscription_id}`, subscription_id }
        : { type, account_id: "a", subscription_id };
    const jobs = [
      about("one", "sync_contract"),
      about("one", "charge"),
      about("two", "charge"),
      about("two", "sync_contract"),
      about("one", "sync_contract"),
    ];
    const events: string[] = [];
    await workBatch(
      jobs.map((job, nth) => ({ job, nth, ack: () => {}, retry: () => {} })),
      {
        limits: { statements: 1000, beginMs: 60_000, atOnce: 5 },
        elapsed: () => 0,
        work: async ({ nth }) => {
          events.push(`begin ${nth}`);
          await new Promise((resolve) => setTimeout(resolve, nth === 0 ? 20 : 5));
          events.push(`end ${nth}`);
          return { isDone: true, statements: 1 };
        },
        sendAgain: async () => true,
      },
    );
    expect(events.slice(0, 2)).toEqual(["begin 0", "begin 2"]);
    for (const [earlier, later] of [
      [0, 1],
      [1, 4],
      [2, 3],
    ])
      expect(events.indexOf(`end ${earlier}`)).toBeLessThan(events.indexOf(`begin ${later}`));
  });

  test("the first job is always begun, so that each invocation does something", async () => {
    const { outcomes } = await run(tenOf({}), { statements: 1 });
    expect(outcomes.flat().filter((each) => each === "worked")).toHaveLength(1);
  });

  test("after its time nothing is begun", async () => {
    const { outcomes } = await run(tenOf({}), { beginMs: 100, atOnce: 1 }, { msOfEach: 40 });
    expect(outcomes.flat().filter((each) => each === "worked")).toHaveLength(3);
  });

  test("of any batch each message is settled once, after its work or after it was sent again, within the limits", async () => {
    const works = fc.array(
      fc.record({ isDone: fc.boolean(), statements: fc.integer({ min: 0, max: most }) }),
      { maxLength: 12 },
    );
    const limits = fc.record({
      statements: fc.integer({ min: 1, max: 8 * most }),
      beginMs: fc.constant(60_000),
      atOnce: fc.integer({ min: 1, max: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(works, limits, fc.boolean(), async (jobs, allowed, takes) => {
        const { outcomes, mostRunning, used } = await run(jobs, allowed, { takes });
        expect(mostRunning).toBeLessThanOrEqual(allowed.atOnce);
        for (const [nth, outcome] of outcomes.entries()) {
          const worked = jobs[nth]?.isDone ? "worked,acknowledged" : "worked,retried";
          expect([worked, takes ? "sent again,acknowledged" : "retried"]).toContain(outcome.join());
        }
        const begun = outcomes.filter((outcome) => outcome.includes("worked")).length;
        if (begun > 1) expect(used).toBeLessThanOrEqual(allowed.statements);
        expect(begun).toBeGreaterThanOrEqual(Math.min(1, jobs.length));
      }),
      seeded(100),
    );
  });
});

test("a message that does not fit is overtaken by none about the same subscription, which would be done before it", async () => {
  const names = { account_id: "a", subscription_id: "one" };
  const first: Job = { type: "charge", account_id: "a", attempt_id: "of another" };
  const jobs: Job[] = [
    first,
    { type: "charge", attempt_id: "attempt", ...names },
    { type: "sync_contract", ...names },
  ];
  const worked: Job[] = [];
  const sentAgain: Job[] = [];
  await workBatch(
    jobs.map((job) => ({ job, ack: () => {}, retry: () => {} })),
    {
      limits: {
        statements: mostStatements.charge + mostStatements.sync_contract,
        beginMs: 60_000,
        atOnce: 5,
      },
      elapsed: () => 0,
      work: async ({ job }) => {
        worked.push(job);
        return { isDone: true, statements: mostStatements.charge };
      },
      sendAgain: async (left) => sentAgain.push(...left) > 0,
    },
  );
  expect(worked).toEqual([first]);
  expect(sentAgain).toEqual(jobs.slice(1));
});
