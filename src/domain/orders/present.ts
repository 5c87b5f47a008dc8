import type { z } from "@hono/zod-openapi";
import type { Account } from "../../base/accounts/tables.ts";
import { toMajor } from "../../base/lib/money.ts";
import { frequencyLabel } from "../../base/lib/time/intervals.ts";
import { presentDeliverySlot } from "../delivery/present.ts";
import { presentProfile } from "../profiles/present.ts";
import type { Subscription } from "../subscriptions/tables.ts";
import type { OrderLineBody } from "./content-schemas.ts";
import type { plainOrderColumns } from "./embedded.ts";
import { embeddedProfile, embeddedSlot, type OrderRow } from "./queries.ts";
import type { OrderBody } from "./schemas.ts";
import type { Order, OrderDispute, OrderLine } from "./tables.ts";

type Joined = Pick<
  Subscription,
  "id" | "number" | "status" | "billing_interval" | "billing_interval_count" | "entity_id" | "entity_label"
>;

type Embedded = Pick<
  OrderDispute,
  | "id"
  | "store_dispute_id"
  | "status"
  | "is_inquiry"
  | "amount"
  | "currency_code"
  | "reason"
  | "opened_at"
  | "closed_at"
>;

type PlainOrder = Pick<Order, keyof typeof plainOrderColumns>;

/** An order by itself, without the records around it. */
function presentPlainOrder(row: PlainOrder, account: Pick<Account, "id">) {
  return {
    id: row.id,
    account_id: account.id,
    status: row.status,
    fulfillment_status: row.fulfillment_status,
    return_status: row.return_status,
    order_type: row.order_type,
    is_checkout_order: row.is_checkout_order === 1,
    store_order_id: row.store_order_id,
    store_order_number: row.store_order_number,
    external_order_id: row.external_order_id,
    external_order_number: row.external_order_number,
    external_source: row.external_source,
    currency_code: row.currency_code,
    subtotal: toMajor(row.subtotal, row.currency_code),
    discount_amount: toMajor(row.discount_amount, row.currency_code),
    total: toMajor(row.total, row.currency_code),
    refunded_amount: toMajor(row.refunded_amount, row.currency_code),
    profile_id: row.profile_id,
    production_date: row.production_date,
    billing_date: row.billing_date,
    delivery_date: row.delivery_date,
    order_created_at: row.order_created_at,
    tracking_number: row.tracking_number,
    tracking_company: row.tracking_company,
    tracking_url: row.tracking_url,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

export function presentOrder(row: OrderRow, account: Pick<Account, "id">): z.input<typeof OrderBody> {
  const profile = embeddedProfile.read(row.profile);
  const slot = embeddedSlot.read(row.delivery_slot);
  return {
    ...presentPlainOrder(row, account),
    lines: row.lines === null ? null : (JSON.parse(row.lines) as OrderLine[]).map(presentLine(row)),
    delivery_address: row.delivery_address === null ? null : JSON.parse(row.delivery_address),
    delivery_instructions: row.delivery_instructions,
    is_prepaid: row.is_prepaid === 1,
    prepaid_delivery: row.prepaid_delivery,
    prepaid_deliveries: row.prepaid_deliveries,
    dispute: row.dispute === null ? null : presentDispute(JSON.parse(row.dispute)),
    ...(profile ? { profile: presentProfile(profile) } : {}),
    subscriptions: (JSON.parse(row.subscriptions) as Joined[]).map(presentSubscription),
    ...(slot ? { delivery_slot: presentDeliverySlot(slot) } : {}),
  };
}

function presentLine({ currency_code }: Pick<Order, "currency_code">) {
  return (line: OrderLine): z.input<typeof OrderLineBody> => ({
    ...line,
    price: toMajor(line.price, currency_code),
    line_total: toMajor(line.line_total, currency_code),
    discount_amount: toMajor(line.discount_amount, currency_code),
  });
}

function presentDispute({ is_inquiry, amount, ...dispute }: Embedded): z.input<typeof OrderBody>["dispute"] {
  return { ...dispute, is_inquiry: is_inquiry === 1, amount: toMajor(amount, dispute.currency_code) };
}

function presentSubscription(joined: Joined): z.input<typeof OrderBody>["subscriptions"][number] {
  return {
    id: joined.id,
    number: String(joined.number),
    status: joined.status,
    frequency_label: frequencyLabel({
      unit: joined.billing_interval,
      count: joined.billing_interval_count,
    }),
    entity_id: joined.entity_id,
    entity_label: joined.entity_label,
  };
}
