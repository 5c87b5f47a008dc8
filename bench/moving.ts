// `npm run bench:moving`: the memory that many rows take while they are moved in and out, on the real script in the local runtime.
import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { commandLine, wholeNumber } from "../scripts/command-line.ts";

const { values } = commandLine({
  usage: `Usage: npm run bench:moving [-- --rows 500000] [--exports 4] [--checked 100000]

Exports so many orders of a demo store several times, one after the other; then puts so many rows of imports, and checks some of them. Prints of
each the most that the Worker's heap held, what it kept, and the memory of the whole local runtime, which holds the
simulator of the database too. Ends with 1 if the heap kept 16 MB more in the later half of these than in the earlier one, or a part was cut.

  --rows     how many rows; an import has 200,000 at most, so that more are several imports
  --exports  how often they are exported
  --checked  how many of the rows that were put are checked; 0 for none`,
  options: {
    rows: { type: "string", default: "500000" },
    exports: { type: "string", default: "4" },
    checked: { type: "string", default: "100000" },
  },
});
const rows = wholeNumber("rows", values.rows, { min: 1_000, max: 2_000_000 });
const exports = wholeNumber("exports", values.exports, { min: 1, max: 20 });
const checked = wholeNumber("checked", values.checked, { min: 0, max: 200_000 });

// The rest is loaded once the arguments are known to be right.
const { callerOf } = await import("./cases.ts");
const { openImport, rowsOfPart } = await import("./soak/import.ts");
const { openRuntime } = await import("./soak/runtime.ts");
const { openHeap, residentMegabytes } = await import("./soak/memory.ts");

/** The orders that the seed has for each subscription. */
const ordersOfEach = 5;
const mostOfImport = 200_000;
const slackMegabytes = 16;
/** So many lists make garbage enough for some collections. */
const listsAsked = 150;
/** Longer than the last line of a part is. */
const longestTrailer = 200;

const served = await openRuntime(Math.ceil(rows / ordersOfEach), { settings: { inspectorPort: 0 } });
const caller = await callerOf(served.address);
const heap = await openHeap(served.inspector ?? "");
const kept: number[] = [];
const faults: string[] = [];

await measured("at rest", async () => "");
for (let nth = 1; nth <= exports; nth++) await measured(`export ${nth}`, exportOrders);
await measured("put", putRows);
if (checked > 0) await measured("check", checkRows);
if (grows(kept.slice(1))) faults.push("The Worker's heap has grown");
for (const fault of faults) console.error(`FAULT: ${fault}`);
heap.close();
await served.stop();
process.exit(faults.length === 0 ? 0 : 1);

/** Whether the least that was kept is more in the later half: of a single one some garbage may not be collected yet. */
function grows(all: number[]): boolean {
  const half = Math.ceil(all.length / 2);
  return Math.min(...all.slice(half)) > Math.min(...all.slice(0, half)) + slackMegabytes;
}

/** Does something, and prints what it held meanwhile and keeps afterwards. */
async function measured(title: string, act: () => Promise<string>): Promise<void> {
  let [isOver, resident] = [false, 0];
  const held: number[] = [];
  const look = async (): Promise<void> => {
    while (!isOver) {
      held.push(await heap.megabytes());
      resident = Math.max(resident, residentMegabytes(served.pid ?? 0) ?? 0);
      await wait(100);
    }
  };
  const looking = look();
  const started = Date.now();
  const what = await act();
  const seconds = (Date.now() - started) / 1000;
  isOver = true;
  await looking;
  const keeps = Math.min(...held.slice(Math.floor(held.length / 2)), await leastHeld());
  kept.push(keeps);
  const after = residentMegabytes(served.pid ?? 0) ?? Number.NaN;
  console.log(
    `${title.padEnd(10)} ${seconds.toFixed(0).padStart(5)} s  heap: at most ${Math.max(...held)
      .toFixed(1)
      .padStart(6)} MB, keeps ${keeps.toFixed(1).padStart(5)}  ` +
      `runtime: at most ${resident.toFixed(0).padStart(5)} MB, then ${after.toFixed(0).padStart(5)}  ${what}`,
  );
}

/** The least that the heap holds while lists are asked for until garbage was collected some times: the inspector collects none when asked. */
async function leastHeld(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let asked = 0; asked < listsAsked; asked++) {
    const answer = await fetch(`${served.address}/api/subscriptions?limit=100`, { headers: caller.key });
    await answer.text();
    least = Math.min(least, await heap.megabytes());
  }
  return least;
}

/** Reads all parts of an export, one after the other, and keeps nothing of them but their digest. */
async function exportOrders(): Promise<string> {
  const headers = { ...caller.both, "Content-Type": "application/json" };
  const body = JSON.stringify({ resource: "orders", format: "jsonl" });
  const made = await fetch(`${served.address}/api/exports`, { method: "POST", headers, body });
  const { data } = (await made.json()) as { data: { parts: { url: string }[] } };
  let [lines, bytes] = [0, 0];
  for (const { url } of data.parts) {
    const read = await readPart(served.address + new URL(url).pathname);
    lines += read.rows;
    bytes += read.bytes;
  }
  return `${lines} rows in ${data.parts.length} parts, ${(bytes / 1_000_000).toFixed(0)} MB`;
}

async function readPart(url: string): Promise<{ rows: number; bytes: number }> {
  const answer = await fetch(url);
  const hash = createHash("sha256");
  let bytes = 0;
  let tail = Buffer.alloc(0);
  for await (const piece of answer.body ?? []) {
    bytes += piece.byteLength;
    const all = Buffer.concat([tail, piece]);
    const cut = Math.max(0, all.byteLength - longestTrailer);
    hash.update(all.subarray(0, cut));
    tail = all.subarray(cut);
  }
  const trailer = tail.lastIndexOf('{"end":true');
  if (trailer < 0) {
    faults.push("A part was cut");
    return { rows: 0, bytes };
  }
  const { rows, sha256 } = JSON.parse(tail.subarray(trailer).toString("utf8"));
  if (hash.update(tail.subarray(0, trailer)).digest("hex") !== sha256)
    faults.push("A part has another digest");
  return { rows, bytes };
}

async function putRows(): Promise<string> {
  for (let from = 0; from < rows; from += mostOfImport) {
    const end = Math.min(rows, from + mostOfImport);
    await put(await openImport(served.address, caller, `moving-${from}`), from, end);
  }
  return `${rows} rows in ${Math.ceil(rows / mostOfImport)} imports`;
}

async function checkRows(): Promise<string> {
  const its = await openImport(served.address, caller, "checked");
  await put(its, rows, rows + checked);
  await its.start(false);
  const { status, total, failed } = await its.ended();
  if (status !== "READY" || failed > 0) faults.push(`The check is ${status}, ${failed} at fault`);
  return `${total} rows`;
}

async function put(its: Awaited<ReturnType<typeof openImport>>, first: number, end: number): Promise<void> {
  for (let at = first; at < end; at += rowsOfPart) await its.put(at, Math.min(end, at + rowsOfPart));
}
