// `npm run import -- FILE --from recharge …`: puts a file of subscriptions into an import, checks it and, with --commit, moves it in.
import { readFileSync } from "node:fs";
import { demoApiKey } from "../src/base/demo.ts";
import type { Cause } from "../src/domain/imports/causes.ts";
import { type ImportFormat, importFormats } from "../src/domain/imports/formats/formats.ts";
import type { MissingPlans } from "../src/domain/imports/missing-plans.ts";
import { commandLine, refuse } from "./command-line.ts";
import { causeLines, causesOf, type Row } from "./import/cause-lines.ts";
import { splitFile } from "./import/split-file.ts";
import { progressOf } from "./progress.ts";

const usage = `Usage: npm run import -- FILE --from ${importFormats.join("|")} --charge-from yyyy-MM-dd [options]
       npm run import -- --release ID | --undo ID

  --from         what the file looks like (docs/sell/move-in.md)
  --source       your name for the system that it comes from; that of --from by default
  --charge-from  the first date on which this service may charge
    --past-due     what to do with a payment that is owed there: bill or pause (the default)
  --create-plans makes the selling plans that rows need and the account lacks
  --map          FIELD=COLUMN, as often as needed
  --default      FIELD=VALUE, as often as needed
    --commit       moves the good rows in, held; without it they are only checked
  --release      ends the hold of an import
  --allow-without-card  with --release: also subscriptions without a payment method
  --undo         takes an import back
  --server       the server; the local one by default
  --key          an API key of the account, or the environment's PERENNIAL_API_KEY; by default that of the demo store`;

/** Between two looks at a job that runs. */
const pauseMs = 500;

const text = { type: "string" } as const;
const { values, positionals } = commandLine({
  usage,
  positionals: true,
  options: {
    from: text,
    source: text,
    "charge-from": text,
    "past-due": { ...text, default: "pause" },
    "create-plans": { type: "boolean", default: false },
    map: { ...text, multiple: true },
    default: { ...text, multiple: true },
    commit: { type: "boolean", default: false },
    release: text,
    "allow-without-card": { type: "boolean", default: false },
    undo: text,
    server: { ...text, default: `http://127.0.0.1:${process.env.PORT || "8787"}` },
    key: { ...text, default: process.env.PERENNIAL_API_KEY ?? demoApiKey },
  },
});

type Job = {
  id: string;
  status: string;
  total: number;
  done: number;
  failed: number;
  skipped: number;
  undone: number;
  error: string | null;
  summary: { rows: number; currency_code: string; differing: number | null; next_35_days: Next } & Missing;
};
type Next = { charges: number; amount_here: number; amount_there: number | null };
type Missing = {
  not_compared?: number;
  without_card?: { subscriptions: number; charges: number; amount_here: number };
  without_address?: number;
  unknown_provinces?: number;
  warnings?: Cause[];
  missing_plans?: MissingPlans;
};

if (values.release !== undefined) {
  const body = values["allow-without-card"] ? { allow_without_card: true } : undefined;
  const job = await ask<Job>("POST", `/api/imports/${values.release}/release`, body);
  await follow(job.id, "releasing");
  console.log(`Released import ${values.release}: it is charged on its dates from now on.`);
  await printCauses(job, "OK");
} else if (values.undo !== undefined) {
  const job = await follow((await ask<Job>("POST", `/api/jobs/${values.undo}/undo`)).id, "taking back");
  console.log(`Took back ${job.undone} subscriptions of import ${job.id}.`);
  await printCauses(job, "OK");
} else await importFile();

async function importFile(): Promise<void> {
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) refuse("Name one file");
  if (!(importFormats as readonly string[]).includes(values.from ?? ""))
    refuse(`--from must be one of ${importFormats.join(", ")}`);
  const { id } = await ask<Job>("POST", "/api/imports", {
    source: values.source ?? values.from,
    format: values.from as ImportFormat,
    past_due: values["past-due"],
    create_plans: values["create-plans"],
    ...(values["charge-from"] ? { charge_from: values["charge-from"] } : {}),
    mapping: pairsOf(values.map),
    defaults: pairsOf(values.default),
  });
  console.log(`Import ${id}`);
  const rowsBefore = await putParts(id, path);
  await ask("POST", `/api/jobs/${id}/start`, { commit: values.commit });
  const job = await follow(id, values.commit ? "moving in" : "checking");
  printSummary(job);
  await printCauses(job, "FAILED", rowsBefore);
  await printCauses(job, "SKIPPED", rowsBefore);
  printWarnings(job, rowsBefore);
  if (!values.commit)
    return console.log("\nNothing was moved in. Run it again with --commit, once this is what you expect.");
  if (job.done === 0 || values.from === "orders") return;
  console.log(`\nIt is held: nothing is charged before npm run import -- --release ${id}`);
}

function pairsOf(texts: string[] = []): Record<string, string> {
  return Object.fromEntries(
    texts.map((pair) => {
      const at = pair.indexOf("=");
      return at < 1 ? refuse(`${pair} must be FIELD=…`) : [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

async function putParts(id: string, path: string): Promise<number[]> {
  const { type, parts, rowsBefore } = splitFile(readFileSync(path));
  const progress = progressOf("putting", parts.length);
  for (const [nth, part] of parts.entries()) {
    const response = await send("PUT", `/api/imports/${id}/parts/${nth + 1}`, part, type);
    await answerOf(response);
    progress.advance();
  }
  progress.end();
  return rowsBefore;
}

/** Asks for a job until no message works on it any more. */
async function follow(id: string, label: string): Promise<Job> {
  let job = await ask<Job>("GET", `/api/jobs/${id}`);
  const progress = progressOf(label, Math.max(job.total, job.summary.rows));
  let seen = 0;
  while (["CHECKING", "RUNNING", "UNDOING"].includes(job.status)) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    job = await ask<Job>("GET", `/api/jobs/${id}`);
    const now = workedOn(job);
    progress.advance(Math.max(0, now - seen));
    seen = Math.max(seen, now);
  }
  progress.end();
  if (job.error) fail(job.error);
  return job;
}

/** The subscriptions that the job has been through in its status. */
function workedOn({ status, total, done, failed, skipped, undone }: Job): number {
  if (status === "CHECKING") return total;
  return status === "UNDOING" ? undone : done + failed + skipped;
}

function printSummary(job: Job): void {
  const { rows, currency_code, differing, not_compared = 0, next_35_days: next } = job.summary;
  const { without_card, without_address, unknown_provinces, missing_plans } = job.summary;
  const open = job.total - job.done - job.failed - job.skipped;
  console.log(`${job.status}: ${rows} rows of ${job.total} ${values.from === "orders" ? "orders" : "subscriptions"}
  ${job.status === "READY" ? `can be moved in:   ${open}` : `moved in:          ${job.done}`}
  at fault:          ${job.failed}
  here before:       ${job.skipped}`);
  if (values.from === "orders") return;
  const there = next.amount_there === null ? "not compared" : `${next.amount_there} ${currency_code} there`;
  const others = not_compared > 0 && differing !== null ? ` (${not_compared} not compared)` : "";
  console.log(`  charged otherwise: ${differing ?? "not compared"}${others}
  the next 35 days charge ${timesOf(next.charges)}: ${next.amount_here} ${currency_code} here, ${there}`);
  if (without_card)
    console.log(
      `  without a card: ${without_card.subscriptions}, to be charged ${timesOf(without_card.charges)}: ${without_card.amount_here} ${currency_code}`,
    );
  if (without_address) console.log(`  without a complete address: ${without_address}`);
  if (unknown_provinces) console.log(`  with a province that the store does not know: ${unknown_provinces}`);
  if (missing_plans) console.log(`  ${plansLine(missing_plans)}`);
}

function timesOf(charges: number): string {
  return charges === 1 ? "once" : `${charges} times`;
}

/** "plans that lack: every month: 55 rows, every 6 weeks: 1" */
function plansLine(plans: MissingPlans): string {
  const its = plans.map(({ name, subscriptions: count }, nth) => {
    const rows = nth > 0 ? "" : count === 1 ? " row" : " rows";
    return `${name.toLowerCase()}: ${count}${rows}`;
  });
  if (!values["create-plans"]) return `plans that lack: ${its.join(", ")} (--create-plans makes them)`;
  return `${values.commit ? "plans made" : "plans to be made"}: ${its.join(", ")}`;
}

function printWarnings({ summary: { warnings = [] } }: Job, rowsBefore: number[]): void {
  if (warnings.length === 0) return;
  console.log("Warnings, which keep nothing out:");
  for (const line of causeLines(warnings, rowsBefore)) console.log(`  ${line}`);
}

/** Says of the rows in a status what is said of them, by its cause. */
async function printCauses({ id }: Job, status: string, rowsBefore?: number[]): Promise<void> {
  let causes: Cause[] = [];
  for (let page = 1; ; page++) {
    const query = `?status=${status}&limit=100&page=${page}`;
    const { data, meta } = await answerOf<{ data: Row[]; meta: { last_page: number } }>(
      await send("GET", `/api/jobs/${id}/rows${query}`),
    );
    causes = causesOf(causes, data);
    if (page >= meta.last_page) break;
  }
  for (const line of causeLines(causes, rowsBefore)) console.log(`  ${line}`);
}

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const sent = body && Uint8Array.from(new TextEncoder().encode(JSON.stringify(body)));
  return (await answerOf<{ data: T }>(await send(method, path, sent, "application/json"))).data;
}

function send(
  method: string,
  path: string,
  body?: Uint8Array<ArrayBuffer>,
  type?: string,
): Promise<Response> {
  const headers = { "X-API-Key": values.key, ...(body && type ? { "Content-Type": type } : {}) };
  return fetch(`${values.server}${path}`, { method, headers, body: body ?? null }).catch(() =>
    fail(`Nothing answers at ${values.server}: npm start runs it`),
  );
}

async function answerOf<T>(response: Response): Promise<T> {
  const answer = (await response.json()) as T & { error?: string; details?: Row["errors"] };
  if (response.ok) return answer;
  const details = (answer.details ?? []).map(({ path, message }) => `\n  ${path || "file"}: ${message}`);
  return fail(`${answer.error}${details.join("")}`);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
