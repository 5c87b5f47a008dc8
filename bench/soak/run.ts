// `npm run soak`: mixed load with billing on the real script for some minutes; then the ledger, the outboxes and the memory are looked at.
import { setTimeout as wait } from "node:timers/promises";
import { commandLine, refuse, wholeNumber } from "../../scripts/command-line.ts";
import { progressOf } from "../../scripts/progress.ts";
import type { Served } from "../serve.ts";
import { runClients, type Tally } from "./clients.ts";
import { moveClock } from "./clock.ts";
import { LogFigures } from "./figures.ts";
import { beginImport, type Moved } from "./import.ts";
import { readSignIns } from "./ledger.ts";
import { newState } from "./load.ts";
import type { Machine } from "./machine.ts";
import { memoryParts, openHeap, residentMegabytes, type Sample, trendOf } from "./memory.ts";
import { quietBooks } from "./quiet.ts";
import { addEndpoint, openReceiver } from "./receiver.ts";

const { values } = commandLine({
  usage: `Usage: npm run soak [-- --minutes 2] [--clients 4] [--seed 1] [--import 0] [--host [--kills 0]]

Runs the real script in the local runtime under mixed load: lists, reads, creations, skips, ship-now under Idempotency-Keys, the portal's
look-up, and billing by moving the test clock day by day, with its events delivered. At the end no answer was a fault, the Worker's heap
has not grown (its least in the last third is at most a quarter and 24 MB above that in the third before; a minute tells), every charge of the
sandbox store has one successful attempt and one order and the other way round, and nothing waits in an outbox. Ends with 1 if not.

  --minutes  how long the load lasts, such as 0.1 or 60; 2 by default. With --import it lasts at least until that has ended
  --clients  how many requests at once; 4 by default
  --seed     which random requests
  --import   so many subscriptions are moved in meanwhile; the medians of the requests are to be compared with those of a run without
  --host     on the built file of one machine instead, whose process holds at most 250 MB in the end
  --kills    so often, at random moments, that process is ended by kill -9 and started again; requests then may have no answer`,
  options: {
    minutes: { type: "string", default: "2" },
    clients: { type: "string", default: "4" },
    seed: { type: "string", default: "1" },
    import: { type: "string", default: "0" },
    host: { type: "boolean", default: false },
    kills: { type: "string", default: "0" },
  },
});
const minutes = Number(values.minutes);
if (!/^\d+(\.\d+)?$/.test(values.minutes) || minutes <= 0 || minutes > 600)
  refuse("--minutes must be a number above 0, at most 600");
const clients = wholeNumber("clients", values.clients, { min: 1, max: 32 });
const seed = wholeNumber("seed", values.seed);
const imported = wholeNumber("import", values.import, { min: 0, max: 200_000 });
const kills = wholeNumber("kills", values.kills, { min: 0, max: 1000 });
if (kills > 0 && !values.host) refuse("--kills goes with --host");

// The rest is loaded once the arguments are known to be right.
const { callerOf } = await import("../cases.ts");
const { openRuntime } = await import("./runtime.ts");

const seeded = 1000;
/** Megabytes that the host's process may hold in the end. */
const mostResident = 250;

const figures = new LogFigures();
let isLoaded = false;
const receiver = await openReceiver();
const isLine = (line: string) => isLoaded && figures.add(line);
const host = values.host ? await (await import("./host.ts")).openHost(seeded, isLine) : undefined;
const served = host ?? (await openRuntime(seeded, { onLine: isLine, settings: { inspectorPort: 0 } }));
const caller = await callerOf(served.address);
await addEndpoint(served.address, receiver.url, caller);

const before = readSignIns(served.file ?? "");
const state = newState({
  ...{ caller, address: served.address, seeded, seed },
  emails: host ? before.emails : [],
});
const tally: Tally = new Map();
const moving = imported > 0 ? await beginImport(served.address, caller, imported) : undefined;
isLoaded = true;
const until = Date.now() + minutes * 60_000;
let moved: Moved | undefined;
let killed = 0;
const isOver = () => Date.now() >= until && killed >= kills && (moving === undefined || moved !== undefined);
const [unexpected, days, samples] = await Promise.all([
  runClients({ address: served.address, count: clients, isOver, state, tally, isKilled: kills > 0 }),
  moveClock(served.address, isOver, state),
  host ? watchHost(host, isOver) : watch(until, isOver),
  host && killAgain(host),
  moving?.ended.then((ended) => {
    moved = ended;
  }),
]);
isLoaded = false;
const books = await quietBooks(served.file ?? "", state, tick);
const links = readSignIns(served.file ?? "").links - before.links;
const rest = host ? (residentMegabytes(host.pid()) ?? 0) : 0;
await (host ? host.remove() : (served as Served).stop());
receiver.close();
report();

/** Takes samples of the memory that the host's process holds. */
async function watchHost({ pid }: Machine, isOver: () => boolean): Promise<Sample[]> {
  const taken: Sample[] = [];
  for (const started = Date.now(); !isOver(); await wait(1000)) {
    const resident = residentMegabytes(pid());
    if (resident !== undefined)
      taken.push({ seconds: (Date.now() - started) / 1000, megabytes: resident, resident });
  }
  return taken;
}

async function killAgain(its: Machine): Promise<void> {
  for (; killed < kills; killed++) {
    await wait(200 + Math.random() * 2500);
    await its.end("SIGKILL");
    await its.start();
  }
}

/** Takes samples of the Worker's heap, and is the cron trigger. */
async function watch(end: number, isOver: () => boolean): Promise<Sample[]> {
  const heap = await openHeap((served as Served).inspector ?? "");
  const taken: Sample[] = [];
  const started = Date.now();
  const progress = progressOf("Soaking", Math.ceil((end - started) / 1000));
  for (let second = 0; !isOver(); second++) {
    const seconds = (Date.now() - started) / 1000;
    const resident = residentMegabytes((served as Served).pid ?? 0);
    taken.push({
      seconds,
      megabytes: await heap.megabytes(),
      ...(resident === undefined ? {} : { resident }),
    });
    if (second % 20 === 0) await tick();
    await wait(1000);
    progress.advance();
  }
  progress.end();
  heap.close();
  return taken;
}

/** The host has a cron of its own. */
async function tick(): Promise<void> {
  if (host) return;
  await fetch(`${served.address}/tick`).catch(() => undefined);
}

function mean(sum: number, count: number): string {
  return (sum / count).toFixed(1);
}

function report(): void {
  for (const [kind, of] of [...tally].toSorted())
    console.log(
      `  ${kind.padEnd(10)} ${[...of]
        .toSorted()
        .map(([status, count]) => `${status} × ${count}`)
        .join(", ")}`,
    );
  console.log(
    `\n${days} days on the test clock, ${books.charges} charges paid of ${books.attempts} attempts, ${books.orders} orders of them, ` +
      `${books.deliveries} events delivered and ${receiver.received()} received`,
  );
  for (const { name, count, ms, db_statements, rows_read } of figures.medians())
    console.log(
      `  ${name.padEnd(52)} ${String(count).padStart(6)} × ${String(ms).padStart(5)} ms, ${db_statements} statements, ${rows_read} rows read`,
    );
  for (const { type, count, db_statements, rows_read, rows_written } of figures.jobs())
    console.log(
      `  job ${type.padEnd(48)} ${String(count).padStart(6)} × ${mean(db_statements, count)} statements, ${mean(rows_read, count)} rows read, ${mean(rows_written, count)} written`,
    );
  for (const [event, count] of figures.others())
    console.log(`  log ${event.padEnd(48)} ${String(count).padStart(6)} ×`);
  if (moved)
    console.log(
      `Moved in meanwhile: ${moved.done} of ${moved.total}, ${moved.failed} at fault, ${moved.status} after ${moved.minutes.toFixed(1)} minutes`,
    );
  const trend = trendOf(samples);
  const { before = 0, after = 0, allowed = 0 } = trend ?? {};
  console.log(
    trend
      ? `The Worker's heap kept ${before.toFixed(1)} MB, then ${after.toFixed(1)} MB (at most ${allowed.toFixed(1)})`
      : "Too short a time to tell whether the memory grows",
  );
  if (trend)
    for (const { minutes: minute, heap, resident } of memoryParts(samples))
      console.log(
        `  until minute ${minute.toFixed(1).padStart(5)}: ${heap.toFixed(1).padStart(6)} MB of heap, the runtime ${resident?.toFixed(0) ?? "?"} MB`,
      );
  console.log(`${state.linksAsked} links to sign in with asked for, ${links} made`);
  const most = Math.max(...samples.map(({ resident = 0 }) => resident));
  if (host)
    console.log(`The host's process held ${most.toFixed(0)} MB at most; it was killed ${killed} times`);
  const faults = [
    ...(rest > mostResident ? [`The host's process held ${rest.toFixed(0)} MB in the end`] : []),
    ...unexpected.slice(0, 10),
    ...(unexpected.length > 10 ? [`and ${unexpected.length - 10} more answers`] : []),
    ...(after > allowed && kills === 0 ? ["The Worker's heap has grown"] : []),
    ...(links < state.linksAsked
      ? [`${state.linksAsked - links} links to sign in with that were asked for and not made`]
      : []),
    ...books.faults.map(({ what, count }) => `${count} ${what}`),
  ];
  for (const fault of faults) console.error(`FAULT: ${fault}`);
  console.log(faults.length === 0 ? "Nothing is wrong" : `${faults.length} faults`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
