import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { root } from "../scripts/paths.ts";
import type { Part } from "./bundle.ts";
import type { Cost } from "./costs.ts";
import type { FirstAnswer } from "./first-answers.ts";
import type { GoodsCost } from "./goods.ts";
import type { ComparedHost } from "./host.ts";
import type { ratioOf } from "./measure.ts";
import type { ComparedObject } from "./objects.ts";
import type { OwnWork } from "./own-work.ts";
import type { PageCost } from "./portal.ts";
import type { Compared } from "./requests.ts";
import type { StartUp } from "./start-up.ts";

type Ratio = ReturnType<typeof ratioOf>;
export type Section = { title: string; text: string; rows: Record<string, string | number>[] };

/** Where, when and with what it was measured. */
export function setting(loadBefore: number): string {
  const [cpu] = cpus();
  const versions = ["miniflare", "workerd", "hono", "drizzle-orm"].map(
    (name) => `${name} ${versionOf(name)}`,
  );
  return [
    `${new Date().toISOString().slice(0, 10)}, commit ${git("rev-parse", "--short", "HEAD")}${git("status", "--porcelain") ? " with changes" : ""}.`,
    `${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}.`,
    `Node ${process.versions.node}, ${versions.join(", ")}.`,
    `Load average when it began: ${loadBefore.toFixed(1)}.`,
  ].join(" ");
}

export function requestSection(compared: Compared[], unit: string): Section {
  return {
    title: "Requests",
    text: `${unit} of the runtime for each request, the median of the rounds, and what it is of another's in the same round (lowest to highest).
The bare Worker has neither framework, credentials, validation, limits, logs nor error handling. It runs the statements that
this Worker was recorded to run, in one trip for a read and two for a write, makes records of their rows, and makes JSON of the
answer that was recorded.`,
    rows: rowsOf(compared),
  };
}

export function ownWorkSection(compared: OwnWork[], unit: string): Section {
  return {
    title: "The Worker's own work",
    text: `${unit} for each request where the database answers from memory: a platform bills a Worker for no more, while the simulator of D1 is most of what
both sides spend above. Beside the bare Worker of the first table, and beside one whose SQL makes the answer's text, so that it neither
reads JSON nor writes any.`,
    rows: compared.map(({ name, ours, overBare, overText, target }) => ({
      request: name,
      ours: figure(ours),
      "÷ bare Worker": spread(overBare),
      target: target === undefined ? "" : `≤ ${target}`,
      "÷ bare Worker with text": overText ? spread(overText) : "",
    })),
  };
}

export function objectSection(compared: ComparedObject[], unit: string): Section {
  return {
    title: "Requests of an account with an object",
    text: `${unit} for each request whose account has an object of its own, beside the bare Worker of the first table, on D1. The object, and the Worker
outside that proves the credentials and calls it once, are one process here, as is the simulator of D1 beside the bare Worker. CPU time
scatters more than instructions do, and is what is billed.`,
    rows: rowsOf(compared).map((row, nth) => {
      const byTime = compared[nth]?.cpuRatio;
      return byTime ? { ...row, "ratio of CPU time": spread(byTime) } : row;
    }),
  };
}

export function hostSection(compared: ComparedHost[]): Section {
  return {
    title: "One machine",
    text: `ms of CPU for each request to the file of one machine (docs/run/one-machine.md), beside the local runtime that \`npm start\` has, with its
simulator of D1, on copies of one database. One machine also does the jobs that a creation and ship-now send, contract, charge and order, which
nobody does beside the runtime here.`,
    rows: compared.map(({ name, host, runtime, ratio }) => ({
      request: name,
      "one machine": figure(host),
      runtime: figure(runtime),
      ratio: spread(ratio),
    })),
  };
}

export function costSection(costs: Map<number, Cost[]>): Section {
  const [[first, its] = [0, []], ...others] = [...costs];
  const rowsOf = (size: number, { rowsRead, rowsWritten }: Cost) => ({
    [`rows read at ${count(size)}`]: rowsRead,
    [`rows written at ${count(size)}`]: rowsWritten,
  });
  return {
    title: "What each request asks of the database",
    text: `Exact, as D1 counts, once the credentials are cached; an entry of an index is a row written. The store
mails its customers, so what makes a mail writes that besides (docs/change/costs.md counts without).`,
    rows: its.map((cost, nth) => ({
      request: cost.name,
      trips: cost.trips,
      statements: cost.statements,
      ...rowsOf(first, cost),
      ...Object.assign({}, ...others.map(([size, more]) => rowsOf(size, more[nth] as Cost))),
    })),
  };
}

export function startUpSection(starts: StartUp[], unit: string): Section {
  const reference = starts.find(({ name }) => name.includes("11 routes"))?.overBare ?? Number.NaN;
  return {
    title: "Start-up",
    text: "What the runtime spends until the first request is answered, the median; what is over a bare Worker is the script's own.",
    rows: starts.map(({ name, spent, overBare }) => ({
      Worker: name,
      [unit]: figure(spent),
      "over bare": figure(overBare),
      "÷ 11 routes": figure(overBare / reference),
    })),
  };
}

export function firstAnswerSection(answers: FirstAnswer[], unit: string): Section {
  return {
    title: "The first answer of a new isolate",
    text: `${unit} that a new runtime spends until it has answered its first request, from the start of its process, the median. What is over a bare Worker with
the same request is the script's own: its start, the schemas and statements that the request has made, and the code that runs for the first time.`,
    rows: answers.map(({ name, ours, bare }) => ({
      "first request": name,
      ours: figure(ours),
      "bare Worker": figure(bare),
      "over bare": figure(ours - bare),
    })),
  };
}

export function bundleSection(parts: Part[], gzip: number): Section {
  const all = parts.reduce((sum, { kilobytes }) => sum + kilobytes, 0);
  return {
    title: "The script, by module",
    text: `${figure(all)} KiB minified, ${figure(gzip)} KiB with gzip; the last column is a part's share of that, by its minified size.`,
    rows: parts.map(({ name, kilobytes }) => ({
      part: name,
      "KiB minified": figure(kilobytes),
      "KiB with gzip, about": figure((kilobytes / all) * gzip),
    })),
  };
}

export function goodsSection(costs: GoodsCost[]): Section {
  return {
    title: "Goods by day",
    text: "Rows read as D1 counts, and seconds by the clock; taking a forecast is all of its messages together.",
    rows: costs.map(({ name, subscriptions, rowsRead, seconds }) => ({
      subscriptions: count(subscriptions),
      forecast: name,
      "rows read": count(rowsRead),
      seconds: figure(seconds),
    })),
  };
}

export function portalSection(pages: PageCost[]): Section {
  return {
    title: "Pages of the portal",
    text: "Compressed, with all that a page loads.",
    rows: pages.map(({ name, kilobytes, trips }) => ({ page: name, KB: figure(kilobytes), trips })),
  };
}

/** The results as they are kept; `kept` is what they were, of which the part that is not measured any more stays. */
export function markdown(sections: Section[], its: string, kept = ""): string {
  const start = kept.indexOf(`## ${firstTitleOfMeasuredOnce}`);
  const measuredOnce = start < 0 ? [] : [kept.slice(start).trimEnd()];
  return `${[heading(its), ...sections.map(partOf), ...measuredOnce].join("\n\n")}\n`;
}

const firstTitleOfMeasuredOnce = "Beside others";

export function heading(its: string): string {
  return `# Results of \`npm run bench\`\n\n${its}`;
}

export function partOf({ title, text, rows }: Section): string {
  return `## ${title}\n\n${text}\n\n${table(rows)}`;
}

function rowsOf(compared: Compared[]): Section["rows"] {
  return compared.map(({ name, ours, bare, ratio, over, target }) => ({
    request: name,
    ours: figure(ours),
    other: bare === undefined ? "" : figure(bare),
    "ours ÷": over ?? "",
    ratio: ratio ? spread(ratio) : "",
    target: target === undefined ? "" : `≤ ${target}`,
  }));
}

function spread({ median, least, most }: Ratio): string {
  return `${figure(median)} (${figure(least)}–${figure(most)})`;
}

function table(rows: Section["rows"]): string {
  const names = Object.keys(rows[0] ?? {});
  const cells = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? "")))];
  const widths = names.map((_, column) => Math.max(3, ...cells.map((row) => (row[column] ?? "").length)));
  const line = (row: string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = cells;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("\n");
}

function count(size: number): string {
  return size.toLocaleString("en");
}

function figure(value: number): string {
  if (Number.isNaN(value)) return "–";
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(value >= 10 ? 1 : 2);
}

function versionOf(name: string): string {
  return (JSON.parse(readFileSync(`${root}node_modules/${name}/package.json`, "utf8")) as { version: string })
    .version;
}

function git(...args: string[]): string {
  try {
    return execFileSync("git", args, {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return "unknown";
  }
}
