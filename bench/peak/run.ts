// `npm run bench:peak`: 100,000 subscriptions due at once, by the platform's limits in virtual time; and charges a minute here.
import { commandLine } from "../../scripts/command-line.ts";
import { root } from "../../scripts/paths.ts";
import { times } from "./platform.ts";
import type { Peak } from "./simulate.ts";

const { values } = commandLine({
  usage: `Usage: npm run bench:peak -- [--against CHECKOUT]

What a merchant's peak takes: 100,000 subscriptions due at once, with a store that takes a second, by the limits of the platform in
virtual time; and how many charges a minute the Worker makes on this machine.

  --against  the folder of another checkout, whose Worker is measured in the same run`,
  options: { against: { type: "string" } },
});

// The rest is loaded once the arguments are known to be right.
const { openLocal } = await import("./local.ts");
const { productionConsumer } = await import("./settings.ts");
const { invocationLimits } = await import("../../src/runtime/jobs/budget.ts");
const { costs, earlier, simulatePeak, surroundings } = await import("./simulate.ts");

const due = 100_000;
const storeMs = 1000;
const consumer = productionConsumer();

console.log(`${due.toLocaleString("en")} due at once, the store takes ${storeMs} ms for each charge`);
console.log(
  `  assumed, in ms: ${JSON.stringify(times)}; batches of ${consumer.max_batch_size}, ${consumer.max_concurrency} at once\n`,
);
report("one message after the other", await simulatePeak(due, consumer, storeMs, earlier));
report("side by side, within limits", await simulatePeak(due, consumer, storeMs));
for (const [plan, around] of Object.entries(surroundings)) {
  const setting = { costs, limits: invocationLimits, around };
  report(
    `and the limits of a ${plan} plan, webhooks, others' requests`,
    await simulatePeak(due, consumer, storeMs, setting),
  );
}
console.log(`  assumed of those: ${JSON.stringify(surroundings)}`);

const checkouts = { ...(values.against ? { against: `${values.against}/` } : {}), this: root };
const cases = [
  { name: "a store that takes a second", due: 200, storeMs },
  { name: "a store that takes no time", due: 400, storeMs: 0 },
];
const rounds = 3;
console.log(`\nCharges a minute on this machine, median of ${rounds} rounds (lowest–highest)`);
const opened: [string, Awaited<ReturnType<typeof openLocal>>][] = [];
for (const [name, path] of Object.entries(checkouts)) opened.push([name, await openLocal(path, consumer)]);
for (const [, local] of opened) await local.measure(20, 0);
for (const { name, ...load } of cases) {
  const rates = new Map<string, number[]>(opened.map(([checkout]) => [checkout, []]));
  for (let round = 0; round < rounds; round++)
    for (const [checkout, local] of opened) {
      const { charges, perMinute } = await local.measure(load.due, load.storeMs);
      if (charges !== load.due) throw new Error(`${charges} of ${load.due} were charged`);
      rates.get(checkout)?.push(Math.round(perMinute));
    }
  for (const [checkout, its] of rates) {
    const [lowest, median, highest] = its.toSorted((a, b) => a - b);
    console.log(`  ${name.padEnd(30)}${checkout.padEnd(10)}${median} (${lowest}–${highest})`);
  }
}
for (const [, local] of opened) await local.stop();

function report(name: string, peak: Peak): void {
  const { minutes, messages, throttled, statements, atOnce, invocationMs, databaseBusy } = peak;
  console.log(
    `  ${name}: ${minutes.toFixed(0)} minutes, ${messages.toLocaleString("en")} messages; in one invocation at most ` +
      `${statements} statements, ${atOnce} at once, ${(invocationMs / 1000).toFixed(1)} s; database busy ${(databaseBusy * 100).toFixed(0)} %; ` +
      `${throttled.toLocaleString("en")} charges put off by the store; another account's request took ${peak.otherRequestMs.toFixed(0)} ms at most, ` +
      `its job waited ${(peak.otherJobMs / 1000).toFixed(0)} s; the last mail was out after ${peak.receivedMinutes.toFixed(0)} minutes`,
  );
}
