import { api, type RequestOptions } from "../../support/client.ts";
import type { Json, Shop } from "../../support/shops.ts";
import type { TestWorker } from "../../support/worker.ts";

export const path = "/api/forecast/goods";

/** The forecast over HTTP: its rows and what it stands for. */
export async function forecast(shop: Shop, query: NonNullable<RequestOptions["query"]>): Promise<Json> {
  const { status, body, text } = await api(shop.api, "GET", path, { query });
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body;
}

/** The cells of a forecast as lines, `date variant packed/planned/at_risk`, whatever they are grouped by. */
export function cellsIn({ data }: Json): string[] {
  return data.map((cell: Json) => {
    const groups = [cell.store_variant_id, cell.delivery_slot_id, cell.selling_plan_id, cell.entity_type];
    const shown = groups.filter((group) => group !== undefined && group !== null);
    return `${[cell.date, ...shown].join(" ")} ${cell.packed}/${cell.planned}/${cell.at_risk}`;
  });
}

/** Takes a forecast of these days with all of its pages. */
export async function takeForecast(shop: Shop, worker: TestWorker, days: { from: string; to: string }) {
  const started = await worker.call(shop.api, "POST", `${path}/runs`, { body: days });
  await worker.drain();
  return started;
}
