/** A peak of 100,000 subscriptions is charged within two hours by the platform's limits. */
import { describe, expect, test } from "vitest";
import { productionConsumer } from "../../bench/peak/settings.ts";
import { costs, simulatePeak, surroundings } from "../../bench/peak/simulate.ts";
import { invocationLimits, mostStatements } from "../../src/runtime/jobs/budget.ts";

const consumer = productionConsumer();

/** The limits of the platform for one invocation. */
const [statementsMax, connectionsMax, wallMsMax] = [1000, 6, 15 * 60_000];

describe("a merchant's peak, by the platform's limits in virtual time", () => {
  test("100,000 due at once, with a store that takes a second, are charged within two hours", async () => {
    const peak = await simulatePeak(100_000, consumer, 1000);
    expect(peak.charged).toBe(100_000);
    expect(peak.minutes).toBeLessThan(120);
    expect(peak.statements).toBeLessThanOrEqual(statementsMax);
    expect(peak.atOnce).toBeLessThan(connectionsMax);
    expect(peak.invocationMs).toBeLessThan(wallMsMax);
  });

  test("jobs that run as much as they may stay within the limits: what does not fit is put off, and all are charged", async () => {
    const processDue = (count: number) => ({
      ...costs.processDue(count),
      statements: mostStatements.process_due,
    });
    const peak = await simulatePeak(4_000, consumer, 1000, {
      costs: { ...costs, processDue },
      limits: invocationLimits,
    });
    expect(peak.charged).toBe(4_000);
    expect(peak.putOff).toBeGreaterThan(0);
    expect(peak.statements).toBeLessThanOrEqual(statementsMax);
  });

  test("a store that takes twenty seconds ends no invocation", async () => {
    const peak = await simulatePeak(2_000, consumer, 20_000);
    expect(peak.charged).toBe(2_000);
    expect(peak.invocationMs).toBeLessThan(wallMsMax);
  });

  test("a store that has no more points puts charges off, and all are charged once, beside webhooks and others' requests", async () => {
    const around = surroundings.standard;
    const peak = await simulatePeak(1_000, consumer, 1000, { costs, limits: invocationLimits, around });
    const paidFor = around.bucket.size + peak.minutes * 60 * around.bucket.perSecond;
    expect(peak.charged).toBe(1_000);
    expect(peak.throttled).toBeGreaterThan(0);
    expect(paidFor).toBeGreaterThanOrEqual(1_000 * around.pointsPerCharge);
    expect(peak.messages).toBeGreaterThanOrEqual(1_000 * (1 + around.webhooksPerOrder));
    expect(peak.otherRequestMs).toBeGreaterThan(0);
    expect(peak.statements).toBeLessThanOrEqual(statementsMax);
    expect(peak.invocationMs).toBeLessThan(wallMsMax);
  });
});
