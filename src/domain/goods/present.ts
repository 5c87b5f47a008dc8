import type { z } from "@hono/zod-openapi";
import { csvOf } from "../../base/lib/csv-cells.ts";
import type { Cell, ForecastGrouping } from "./cells.ts";
import type { GoodsCell } from "./schemas.ts";

export function presentCell(cell: Cell, groupBy: readonly ForecastGrouping[]): z.input<typeof GoodsCell> {
  const { packed, planned, at_risk } = cell;
  return {
    date: cell.date,
    store_variant_id: cell.variant,
    product_title: cell.product_title,
    variant_title: cell.variant_title,
    sku: cell.sku,
    ...(groupBy.includes("slot") ? { delivery_slot_id: cell.slot } : {}),
    ...(groupBy.includes("plan") ? { selling_plan_id: cell.plan } : {}),
    ...(groupBy.includes("entity_type") ? { entity_type: cell.entity_type } : {}),
    packed,
    planned,
    at_risk,
    quantity: packed + planned + at_risk,
  };
}

/** The rows as CSV, whose columns are the fields of the JSON in their order. */
export function presentCsv(cells: Cell[], groupBy: readonly ForecastGrouping[]): string {
  const optional = { delivery_slot_id: "slot", selling_plan_id: "plan", entity_type: "entity_type" } as const;
  const asked = Object.entries(optional).flatMap(([name, group]) => (groupBy.includes(group) ? [name] : []));
  const names = ["date", "store_variant_id", "product_title", "variant_title", "sku", ...asked];
  const rows = cells.map((cell) => presentCell(cell, groupBy));
  return csvOf([...names, "packed", "planned", "at_risk", "quantity"], rows);
}
