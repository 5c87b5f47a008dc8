import { demoPlanIds } from "../../src/base/demo.ts";
import { addDays } from "../../src/domain/subscriptions/cadence.ts";
import type { Caller } from "../cases.ts";
import { send } from "./clients.ts";

/** How far an import has got. */
export type Moved = { status: string; total: number; done: number; failed: number };

/** An import that goes on beside the load. */
export type Import = { read: () => Promise<Moved>; cancel: () => Promise<void> };

/** Begins to move in so many subscriptions, each of a customer of its own, which are first charged long after the load has ended. */
export async function beginImport(address: string, { key }: Caller, rows: number): Promise<Import> {
  const call = async (method: string, path: string, body: string, type = "application/json") => {
    const headers = { ...key, "Content-Type": type };
    const { status, text } = await send(address, { method, path, headers, body });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return (JSON.parse(text) as { data: Moved & { id: string } }).data;
  };
  const charge_from = addDays(new Date().toISOString().slice(0, 10), chargedInDays);
  const request = { source: "soak", format: "csv", charge_from };
  const { id } = await call("POST", "/api/imports", JSON.stringify(request));
  for (let first = 0; first < rows; first += rowsOfPart) {
    const part = fileOf(first, Math.min(rows, first + rowsOfPart), charge_from);
    await call("PUT", `/api/imports/${id}/parts/${first / rowsOfPart + 1}`, part, "text/csv");
  }
  await call("POST", `/api/jobs/${id}/start`, JSON.stringify({ commit: true }));
  return {
    read: async () => {
      const { text } = await send(address, { method: "GET", path: `/api/jobs/${id}`, headers: key });
      return (JSON.parse(text) as { data: Moved }).data;
    },
    cancel: async () => {
      await send(address, { method: "POST", path: `/api/jobs/${id}/cancel`, headers: key });
    },
  };
}

const chargedInDays = 3_000;
const rowsOfPart = 20_000;

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
