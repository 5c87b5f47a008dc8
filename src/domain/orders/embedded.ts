import { getTableColumns } from "drizzle-orm";
import type { z } from "zod";
import { flagText, majorText, recordText } from "../../base/db/record-text.ts";
import type { PlainOrderBody } from "./schemas.ts";
import { orders } from "./tables.ts";

const {
  seq: _seq,
  account_seq: _account,
  revision: _revision,
  has_subscription: _isRecurring,
  delivery_slot_id: _slot,
  search_text: _search,
  billing_attempt_id: _attempt,
  content_order_id: _content,
  lines: _lines,
  delivery_address: _address,
  delivery_instructions: _instructions,
  is_prepaid: _isPrepaid,
  prepaid_delivery: _nth,
  prepaid_deliveries: _of,
  ...plain
} = getTableColumns(orders);
/** The columns of an order that other records show with it. */
export const plainOrderColumns = plain;

/** A joined order, as `presentPlainOrder` shows it, but for the account, which whoever shows it knows. */
export const plainOrderText = recordText<Omit<z.input<typeof PlainOrderBody>, "account_id">>(orders.id, {
  ...plain,
  is_checkout_order: flagText(orders.is_checkout_order),
  subtotal: majorText(orders.subtotal, orders.currency_code),
  discount_amount: majorText(orders.discount_amount, orders.currency_code),
  total: majorText(orders.total, orders.currency_code),
  refunded_amount: majorText(orders.refunded_amount, orders.currency_code),
});
