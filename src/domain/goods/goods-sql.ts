import type { ForecastDate, ForecastGrouping } from "./cells.ts";

/**
 * SQL that counts goods. The builder has neither table-valued functions nor named indexes. Its parameters are numbered: ?1 is the account, ?2
 * its today, ?3 and ?4 the first and the last day, ?5 the earliest delivery of each slot from today on (JSON).
 */

/** The columns of `goods` that a statement counts by. */
const columns: Record<ForecastGrouping, string> = {
  variant: "variant",
  slot: "slot",
  plan: "plan",
  entity_type:
    "(SELECT e.entity_type FROM entities AS e WHERE e.account_seq = ?1 AND e.id = goods.entity_id)",
};

/** The goods of deliveries, counted: one row for each day, or days, and what is asked about besides. */
export function selectCells(deliveries: string, dates: string, groupBy: readonly ForecastGrouping[]): string {
  const groups = (Object.keys(columns) as ForecastGrouping[]).map(
    (name) => `${groupBy.includes(name) ? columns[name] : "NULL"} AS ${aliases[name]}`,
  );
  const titles = groupBy.includes("variant")
    ? "MAX(product_title) AS product_title, MAX(variant_title) AS variant_title, MAX(sku) AS sku"
    : "NULL AS product_title, NULL AS variant_title, NULL AS sku";
  return `SELECT ${dates}, ${groups.join(", ")}, ${titles}, ${["packed", "planned", "at_risk"]
    .map((kind) => `SUM(CASE WHEN kind = '${kind}' THEN quantity ELSE 0 END) AS ${kind}`)
    .join(", ")}
    FROM (${selectGoods(deliveries)}) AS goods
    GROUP BY ${dates}, ${Object.values(aliases).join(", ")}`;
}

const aliases: Record<ForecastGrouping, string> = {
  variant: "variant_id",
  slot: "slot_id",
  plan: "plan_id",
  entity_type: "entity_type",
};

/** Each line of a delivery is goods, and so is each item of a box. The items of a line are followed by null, which is the line itself. */
function selectGoods(deliveries: string): string {
  const ofEither = (name: string) =>
    `CASE item.type WHEN 'null' THEN line.value ->> '$.${name}' ELSE item.value ->> '$.${name}' END AS`;
  return `SELECT d.billing_date, d.production_date, d.delivery_date, d.slot, d.kind,
      ${ofEither("store_variant_id")} variant,
      ${ofEither("product_title")} product_title,
      ${ofEither("variant_title")} variant_title,
      CASE item.type WHEN 'null' THEN line.value ->> '$.sku' END AS sku,
      line.value ->> '$.selling_plan_id' AS plan,
      line.value ->> '$.entity_id' AS entity_id,
      (line.value ->> '$.quantity') * CASE item.type WHEN 'null' THEN 1 ELSE item.value ->> '$.quantity' END AS quantity
    FROM (${deliveries}) AS d
    CROSS JOIN json_each(d.lines) AS line
    CROSS JOIN json_each(CASE json_type(line.value, '$.selection_items')
      WHEN 'array' THEN json_insert(line.value -> '$.selection_items', '$[#]', json('null')) ELSE '[null]' END) AS item
    WHERE line.type = 'object' AND NOT (d.is_paid_for AND line.value ->> '$.is_one_time')`;
}

/** The delivery of an order, whose lines may be those of another. */
export const columnsOfOrder = `o.billing_date, COALESCE(o.production_date, o.delivery_date) AS production_date,
    o.delivery_date, o.delivery_slot_id AS slot, 'packed' AS kind, COALESCE(o.lines, (
      SELECT held.lines FROM orders AS held WHERE held.account_seq = ?1 AND held.id = o.content_order_id)) AS lines, 0 AS is_paid_for`;

/** Orders that are paid for and not fulfilled, of the days from ?3 to ?4, by the indexes of one of their dates. */
export function selectToPack(columns: string, by: ForecastDate): string {
  const parts = ranges[by].map(
    ({ index, column, condition = "TRUE" }) => `SELECT ${columns} FROM orders AS o INDEXED BY ${index}
      WHERE o.account_seq = ?1 AND ${toPack} AND o.${column} BETWEEN ?3 AND ?4 AND ${condition}`,
  );
  return parts.join(" UNION ALL ");
}

/** In the words of an index of orders, which finds no others then. */
export const toPack = `o.status IN ('PAID', 'PARTIALLY_REFUNDED')
    AND o.fulfillment_status IN ('UNFULFILLED', 'PARTIALLY_FULFILLED')`;

type Range = { index: string; column: string; condition?: string };

const byDelivery = { index: "orders_by_delivery_date", column: "delivery_date" };

const ranges: Record<ForecastDate, Range[]> = {
  production_date: [
    { index: "orders_by_production_date", column: "production_date" },
    { ...byDelivery, condition: "o.production_date IS NULL" },
  ],
  delivery_date: [byDelivery],
  billing_date: [{ index: "orders_by_billing_date", column: "billing_date" }],
};
