import { html, raw } from "hono/html";
import { DomainError } from "../../../base/errors.ts";
import { day, money, shortDay } from "../../../base/language/format.ts";
import { addDays } from "../../../base/lib/time/calendar.ts";
import type { Html } from "../../pages/document.ts";
import { type StaffVisit, todayOf } from "./console-env.ts";
import { layout } from "./layout.ts";
import { table } from "./table.ts";
import type { AskAsStaff, PageAnswer } from "./visit.ts";

/** The days of goods to come, and of cancellations that have been asked for, which the page shows. */
const [daysAhead, daysBack] = [13, 90];

/** The figures that the API has: goods of the days to come, and what became of those who wanted to leave. Each chart has its table beside it. */
export async function figuresPage(visit: StaffVisit, ask: AskAsStaff): Promise<Html> {
  const today = todayOf(visit);
  const until = addDays(today, daysAhead);
  const { goods, retention } = await ask(
    visit,
    {},
    {
      goods: {
        id: "forecastGoods",
        query: { from: today, to: until, by: "production_date", horizon: "next" },
      },
      retention: {
        id: "getRetention",
        query: { from: addDays(today, -daysBack), to: today, group_by: "reason" },
      },
    },
  );
  if (!goods && !retention) throw new DomainError("FORBIDDEN", "Your role has nothing of this page");
  const content = html`${goods ? goodsByDay(goods) : ""}${retention ? leaving(retention) : ""}`;
  return layout(visit, { title: "Figures", content });
}

function goodsByDay({ data }: PageAnswer<"forecastGoods">): Html {
  const byDay = Map.groupBy(data, ({ date }) => date);
  const days = [...byDay].map(([date, cells]) => ({
    date,
    sure: sum(cells, ({ packed, planned }) => packed + planned),
    doubtful: sum(cells, ({ at_risk }) => at_risk),
  }));
  return figure({
    title: `Goods to produce in the next ${daysAhead + 1} days`,
    empty: "Nothing is to be produced. The next delivery of each subscription counts.",
    bars: days.map(({ date, sure, doubtful }) => ({ label: shortDay("en", date), parts: [sure, doubtful] })),
    columns: ["Day", "Sure", "In doubt"],
    rows: days.map(({ date, sure, doubtful }) => [day("en", date), String(sure), String(doubtful)]),
  });
}

function leaving({ data }: PageAnswer<"getRetention">): Html {
  return figure({
    title: `Cancellations of the last ${daysBack} days, by their reason`,
    empty: "Nobody has asked to cancel.",
    bars: data.map(({ key, saved, lost }) => ({ label: key ?? "no reason", parts: [saved, lost] })),
    columns: ["Reason", "Asked", "Stayed", "Left", "Cost of offers"],
    rows: data.map(({ key, shown, saved, lost, cost, currency_code }) => [
      key ?? "no reason",
      ...[shown, saved, lost].map(String),
      money("en", cost, currency_code),
    ]),
  });
}

type Bar = { label: string; parts: number[] };
type Figure = { title: string; empty: string; bars: Bar[]; columns: string[]; rows: string[][] };

/** A chart, and the same numbers as a table beside it. */
function figure({ title, empty, bars, columns, rows }: Figure): Html {
  const [first = "", ...others] = columns;
  return html`<section class="card"><h2>${title}</h2>${
    bars.length === 0
      ? html`<p class="quiet">${empty}</p>`
      : html`<div class="columns"><div>${table({
          caption: title,
          columns: [first, ...others.map((head) => ({ head, isNumber: true }) as const)],
          rows,
        })}</div>${chart(title, bars, others)}</div>`
  }</section>`;
}

const [rowHeight, labelWidth, barWidth] = [24, 110, 240];

/** Bars that lie, one a row, each of parts beside each other. */
function chart(title: string, bars: Bar[], names: string[]): Html {
  const longest = Math.max(1, ...bars.map(({ parts }) => sum(parts, (part) => part)));
  const drawn = bars.map(({ label, parts }, row) => {
    const top = row * rowHeight;
    const lengths = parts.map((part) => (part / longest) * barWidth);
    const rects = lengths.map((length, index) => {
      const left = labelWidth + sum(lengths.slice(0, index), (one) => one);
      return `<rect class="part${index}" x="${left.toFixed(1)}" y="${top + 5}" width="${length.toFixed(1)}" height="14"/>`;
    });
    return html`<text x="0" y="${top + 16}">${label.slice(0, 16)}</text>${raw(rects.join(""))}`;
  });
  const height = bars.length * rowHeight;
  return html`<svg class="chart" viewBox="0 0 ${labelWidth + barWidth} ${height}" role="img" aria-label="${title}: ${names.join(", ")}, as in the table">${drawn}</svg>`;
}

function sum<Item>(items: Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
