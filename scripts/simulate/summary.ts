import { type Platform, platforms } from "../../simulator/kernel/store.ts";
import type { Result } from "./batch.ts";
import type { SeedRange } from "./seeds.ts";

/** How many schedules ran, which faults they met, and which rules they violated. */
export function summary(results: Result[], seeds: SeedRange[], seconds: number): string {
  const runOn = (platform: Platform) => results.reduce((total, { run }) => total + run[platform], 0);
  const run = platforms.reduce((total, platform) => total + runOn(platform), 0);
  const found = results.flatMap((result) => result.found).sort((a, b) => a.seed - b.seed);
  const { tally, injected, faults } = tallyOf(results);
  const done = [
    ...["commands", "edits by the merchant at the store", "commits", "requests to the store", "charges"],
    "events received by endpoints",
    "contracts left over",
  ];
  return [
    `${run} schedules in ${seconds.toFixed(1)} s: ${(run / seconds).toFixed(0)} a second; seeds ${seeds.map(rangeText).join(", ")}`,
    `${format(runOn("ledger"))}  with a ledger for a store, ${runOn("shopify")} with Shopify, ${runOn("stripe")} with Stripe`,
    ...done.map((what) => `${format(tally[what] ?? 0)}  ${what}`),
    `${format(faults)}  faults:`,
    ...injected.map(([what, times]) => `${format(times)}    ${what}`),
    `${format(found.length)}  schedules with a violation`,
    ...found
      .slice(0, 20)
      .map(
        ({ seed: failed, platform, violations: [first] }) =>
          `    seed ${failed} (${platform}): ${first?.rule}: ${first?.detail}`,
      ),
  ].join("\n");
}

function rangeText({ seed, schedules }: SeedRange): string {
  return schedules === 1 ? String(seed) : `${seed}…`;
}

const faultNames = /before|after|late|throttled|lost|twice|doubled|restores|dead letters/;

/** Counts of all that happened in all schedules, and of the faults by name and in sum. */
export function tallyOf(results: Result[]) {
  const tally: Record<string, number> = {};
  for (const result of results)
    for (const [what, times] of Object.entries(result.tally)) tally[what] = (tally[what] ?? 0) + times;
  const injected = Object.entries(tally)
    .filter(([what]) => faultNames.test(what))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return { tally, injected, faults: injected.reduce((total, [, times]) => total + times, 0) };
}

function format(number: number): string {
  return number.toLocaleString("en").padStart(10);
}
