import type { Context } from "hono";
import type { Ctx } from "../../kit/context.ts";
import { daysFrom } from "../../kit/days.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { type HonoEnv, operation } from "../../kit/http/document/operation.ts";
import { prefersCsv } from "../../kit/http/list/prefers-csv.ts";
import { presentJob } from "../merchant-jobs/present.ts";
import { getJob } from "../merchant-jobs/queries.ts";
import { answerJob, retryAfterHeader } from "../merchant-jobs/routes.ts";
import type { MerchantJob } from "../merchant-jobs/tables.ts";
import { type Cell, daysMax, type Question } from "./cells.ts";
import { type Horizon, horizonOf } from "./horizon.ts";
import { forecastNext } from "./next.ts";
import { presentCell, presentCsv } from "./present.ts";
import { readProjected } from "./project.ts";
import { startForecast } from "./runs.ts";

const { DryRunQuery } = deferred(() => import("../../kit/http/preview/dry-run-query.ts"));
const { JobData } = deferred(() => import("../merchant-jobs/schemas.ts"));
const { CsvText, ForecastQuery, ForecastRequest, GoodsForecast } = deferred(() => import("./schemas.ts"));

const path = "/api/forecast/goods";
const common = { tag: "Goods", credentials: "either" } as const;

export const goodsOperations = [
  operation({
    ...common,
    id: "forecastGoods",
    method: "get",
    path,
    resource: "orders",
    summary: "Forecast goods by day",
    description:
      "How many of each product are to be made, packed or delivered on each day: those in orders that are to be packed, and those of deliveries that are not ordered yet. With `Accept: text/csv` the same as CSV, in which cells that begin with = + - @ or ' have an apostrophe before them; its headers have what `meta` has. At most 5,000 cells.\n\nWhere no forecast of the days was taken, `horizon=projected` projects up to 2,000 subscriptions at once. Of more the answer is 202, with the job that takes it: ask again when it is done.",
    query: ForecastQuery,
    success: {
      status: 200,
      description: "The goods of the days.",
      schema: GoodsForecast,
      alsoAs: { "text/csv": CsvText },
      headers: {
        "Forecast-Horizon": { optional: "In CSV: `meta.horizon`." },
        "Forecast-As-Of": { optional: "In CSV: `meta.as_of`." },
        "Forecast-Sequence": { optional: "In CSV: `meta.sequence`." },
        "Forecast-Complete": { optional: "In CSV: `meta.complete`." },
      },
    },
    alsoAnswers: {
      202: {
        description: "The job that takes the forecast, where none of these days was taken.",
        schema: JobData,
        headers: { Location: "The address of the job.", ...retryAfterHeader },
      },
    },
    handler: async ({ c, ctx, query }) => {
      const asked: Question = {
        ...daysFrom(ctx, query, daysMax),
        by: query.by,
        groupBy: query.group_by ?? ["variant"],
      };
      const horizon = query.horizon ?? (await horizonOf(ctx, asked));
      const answer = await forecast(ctx, asked, horizon);
      if ("job" in answer) return c.json(answerStarted(c, answer.job), 202);
      const { cells, as_of, sequence, isComplete } = answer;
      const meta = { as_of, sequence, horizon, complete: isComplete };
      if (prefersCsv(c)) return answerCsv(c, presentCsv(cells, asked.groupBy), meta);
      return { data: cells.map((cell: Cell) => presentCell(cell, asked.groupBy)), meta };
    },
  }),
  operation({
    ...common,
    id: "startGoodsForecast",
    method: "post",
    path: `${path}/runs`,
    resource: "jobs",
    alsoNeeds: ["orders:read"],
    summary: "Take a forecast of goods",
    description:
      "Counts every delivery of the days, as `horizon=projected` then answers; a job does it. One of the next 62 days is taken every night by itself.",
    query: DryRunQuery,
    body: ForecastRequest,
    success: {
      status: 202,
      description: "The job that takes it.",
      schema: JobData,
      headers: { Location: { optional: "The address of the job; none in a dry run." }, ...retryAfterHeader },
    },
    alsoAnswers: { 200: { description: "The job as it would begin.", schema: JobData } },
    handler: async ({ c, ctx, query: { dry_run: dryRun = false }, body }) => {
      const job = await startForecast(ctx, daysFrom(ctx, body, daysMax), dryRun);
      return dryRun ? c.json({ data: presentJob(job) }, 200) : answerStarted(c, job);
    },
    answerAgain: async ({ c, ctx, created }) => answerStarted(c, await getJob(ctx, created.job)),
  }),
];

async function forecast(ctx: Ctx, asked: Question, horizon: Horizon) {
  if (horizon === "projected") return readProjected(ctx, asked);
  return { ...(await forecastNext(ctx, asked)), as_of: ctx.now, isComplete: true };
}

function answerStarted(c: Context<HonoEnv>, job: MerchantJob) {
  c.header("Location", `/api/jobs/${job.id}`);
  return answerJob(c, job);
}

type Meta = { as_of: string; sequence: number; horizon: Horizon; complete: boolean };

function answerCsv(c: Context<HonoEnv>, text: string, { as_of, sequence, horizon, complete }: Meta) {
  return c.body(text, 200, {
    "Content-Type": "text/csv; charset=utf-8",
    "Forecast-Horizon": horizon,
    "Forecast-As-Of": as_of,
    "Forecast-Sequence": String(sequence),
    "Forecast-Complete": String(complete),
  });
}
