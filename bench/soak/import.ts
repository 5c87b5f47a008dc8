import { setTimeout as wait } from "node:timers/promises";
import { demoPlanIds } from "../../src/base/demo.ts";
import { addDays } from "../../src/base/lib/time/calendar.ts";
import type { Caller } from "../cases.ts";
import { send } from "./clients.ts";

/** The end of an import, and how long it took to check and to write it. */
export type Moved = { status: string; total: number; done: number; failed: number; minutes: number };

/**
 * Begins to move in so many subscriptions, each of a customer of its own, which are first charged long after the load has ended. `ended` is
 * what the import has come to.
 */
export async function beginImport(
  address: string,
  caller: Caller,
  rows: number,
): Promise<{ ended: Promise<Moved> }> {
  const its = await openImport(address, caller, "soak");
  for (let first = 0; first < rows; first += rowsOfPart)
    await its.put(first, Math.min(rows, first + rowsOfPart));
  await its.start(true);
  return { ended: its.ended() };
}

/** An import of subscriptions that are numbered, each part of which is of some of them. */
export async function openImport(address: string, { key }: Caller, source: string) {
  const call = async (method: string, path: string, body: string, type = "application/json") => {
    const headers = { ...key, "Content-Type": type };
    const { status, text } = await send(address, { method, path, headers, body });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return (JSON.parse(text) as { data: { id: string } }).data;
  };
  const charge_from = addDays(new Date().toISOString().slice(0, 10), chargedInDays);
  const { id } = await call("POST", "/api/imports", JSON.stringify({ source, format: "csv", charge_from }));
  let parts = 0;
  return {
    put: (first: number, end: number) =>
      call("PUT", `/api/imports/${id}/parts/${++parts}`, fileOf(first, end, charge_from), "text/csv"),
    start: (commit: boolean) => call("POST", `/api/jobs/${id}/start`, JSON.stringify({ commit })),
    ended: () => waitForEnd(address, key, id),
  };
}

async function waitForEnd(address: string, headers: Caller["key"], id: string): Promise<Moved> {
  const started = Date.now();
  for (;;) {
    const { text } = await send(address, { method: "GET", path: `/api/jobs/${id}`, headers });
    const { data } = JSON.parse(text) as { data: Omit<Moved, "minutes"> };
    if (!workingStatuses.includes(data.status)) return { ...data, minutes: (Date.now() - started) / 60_000 };
    await wait(5000);
  }
}

const workingStatuses = ["CHECKING", "RUNNING"];
const chargedInDays = 3_000;
export const rowsOfPart = 20_000;

function fileOf(first: number, end: number, date: string): string {
  const names = [
    ...["subscription_ref", "email", "store_payment_method_id", "selling_plan_id", "next_billing_date"],
    ...["store_product_id", "store_variant_id", "product_title", "quantity", "price"],
  ];
  const rows = Array.from({ length: end - first }, (_, nth) => {
    const ref = `soak-${first + nth}`;
    const product = ["product-1", "variant-1-large", "Beef and carrot", 1, 19.95];
    return [ref, `${ref}@customers.test`, "pm_success", demoPlanIds.monthly, date, ...product].join(",");
  });
  return [names.join(","), ...rows].join("\n");
}
