import { csvOf } from "../../../src/base/lib/csv-cells.ts";
import { api, type RequestOptions } from "../../support/client.ts";
import { inDays, type Json, type Shop } from "../../support/shops.ts";
import type { TestWorker } from "../../support/worker.ts";

export const path = "/api/imports";
export const csv = "text/csv";
export const jsonLines = "application/x-ndjson";

/** A row of a spreadsheet that can be moved in. */
export function rowOf(shop: Shop, ref: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    subscription_ref: ref,
    email: `${ref}@example.com`,
    store_payment_method_id: "pm_success",
    billing_interval: "WEEK",
    billing_interval_count: 1,
    next_billing_date: inDays(10),
    selling_plan_id: shop.plan,
    store_product_id: "product-1",
    store_variant_id: "variant-1",
    product_title: "Kibble",
    quantity: 2,
    price: 12.5,
    expected_total: 25,
    ...more,
  };
}

/** Rows as CSV, with every column that one of them has. */
export function fileOf(rows: Record<string, unknown>[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return csvOf(names, rows);
}

export async function begin(shop: Shop, more: object = {}): Promise<string> {
  const body = { source: "old-shop", format: "csv", charge_from: inDays(5), ...more };
  return must(await api(shop.api, "POST", path, { body })).data.id;
}

export function putPart(
  shop: Shop,
  id: string,
  raw: BodyInit,
  {
    n = 1,
    type = csv,
    headers = {},
  }: { n?: number; type?: string; headers?: RequestOptions["headers"] } = {},
) {
  return api(shop.api, "PUT", `${path}/${id}/parts/${n}`, {
    raw,
    headers: { "Content-Type": type, ...headers },
  });
}

/** An import of these rows that is put, and not started. */
export async function stage(shop: Shop, rows: Record<string, unknown>[], more: object = {}): Promise<string> {
  const id = await begin(shop, more);
  must(await putPart(shop, id, fileOf(rows)));
  return id;
}

/** Starts a job and does all of its pages; the job as it then is. */
export async function start(shop: Shop, worker: TestWorker, id: string, commit: boolean): Promise<Json> {
  must(await worker.call(shop.api, "POST", `/api/jobs/${id}/start`, { body: { commit } }));
  await worker.drain();
  return jobOf(shop, id);
}

export async function jobOf(shop: Shop, id: string): Promise<Json> {
  return must(await api(shop.api, "GET", `/api/jobs/${id}`)).data;
}

export async function rowsOf(shop: Shop, id: string): Promise<Json[]> {
  return must(await api(shop.api, "GET", `/api/jobs/${id}/rows`, { query: { limit: 100 } })).data;
}

/** The outcome of each row, by its key: its status, or the faults that it has. */
export async function outcomesOf(shop: Shop, id: string): Promise<Record<string, unknown>> {
  const rows = await rowsOf(shop, id);
  return Object.fromEntries(
    rows.map(({ key, status, errors }) => [
      key,
      errors.length === 0
        ? status
        : [status, ...errors.map(({ path, message }: Json) => `${path} ${message}`)],
    ]),
  );
}

/** Moves rows in: the job, and the ids of the subscriptions by ref. */
export async function moveIn(
  shop: Shop,
  worker: TestWorker,
  rows: Record<string, unknown>[],
  more: object = {},
): Promise<{ id: string; job: Json; ids: Record<string, string> }> {
  const id = await stage(shop, rows, more);
  const job = await start(shop, worker, id, true);
  const made = await rowsOf(shop, id);
  return { id, job, ids: Object.fromEntries(made.map(({ key, record_id }) => [key, record_id])) };
}

export async function release(shop: Shop, worker: TestWorker, id: string, body: object = {}): Promise<void> {
  must(await worker.call(shop.api, "POST", `${path}/${id}/release`, { body }));
  await worker.drain();
}

export function must({ status, body, text }: { status: number; body: Json; text: string }): Json {
  if (status >= 300) throw new Error(`${status} ${text}`);
  return body;
}
