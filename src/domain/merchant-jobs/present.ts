import type { z } from "@hono/zod-openapi";
import type { JobBody, JobRowBody } from "./schemas.ts";
import { isReleasing } from "./statuses.ts";
import type { JobRow, MerchantJob } from "./tables.ts";

export function presentJob(job: MerchantJob): z.input<typeof JobBody> {
  const { id, kind, status, total, done, failed, skipped, undone, error } = job;
  return {
    id,
    kind,
    status,
    total,
    done,
    failed,
    skipped,
    undone,
    summary: JSON.parse(job.summary),
    created_by: job.created_by,
    created_at: job.created_at,
    started_at: job.started_at,
    finished_at: job.finished_at,
    estimate_seconds: estimateSeconds(job),
    error,
  };
}

export function presentJobRow(row: JobRow & { customer: string | null }): z.input<typeof JobRowBody> {
  const { n, key, status, record_id, customer } = row;
  const email = customer === null || customer.startsWith(":") ? {} : { email: customer };
  const summary = { ...JSON.parse(row.summary), ...email };
  return { n, key, status, record_id, errors: JSON.parse(row.errors), summary };
}

/** The time that the rows that are left will take if each takes as long as those before. */
function estimateSeconds(job: MerchantJob): number | null {
  const { status, started_at, updated_at, total } = job;
  const worked = job.done + job.failed + job.skipped;
  if (status !== "RUNNING" || started_at === null || worked === 0 || isReleasing(job)) return null;
  const perRowMs = (Date.parse(updated_at) - Date.parse(started_at)) / worked;
  return Math.ceil((Math.max(0, total - worked) * perRowMs) / 1000);
}
