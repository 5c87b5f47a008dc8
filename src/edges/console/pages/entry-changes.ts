import { day, moment, money } from "../../../base/language/format.ts";
import { addressOf, nameOfGoods } from "../../../base/language/names.ts";
import { wordOf } from "./table.ts";

/** The currency of a record, if it is known, and the time zone of its shop. */
type Reader = { currency: string | undefined; timezone: string };

/** A field of a record before and after a change, in words. */
type ChangedField = { label: string; from: string; to: string };

/** The fields that an entry of the history has changed, of those that people know. The others follow from these, or are ids. */
export function changedFields(changes: Record<string, unknown> | null, reader: Reader): ChangedField[] {
  const told = Object.entries(fields).flatMap(([name, { label, read = textOf }]) => {
    const change = changes?.[name];
    if (!isChange(change)) return [];
    const { from, to } = change;
    if (!Array.isArray(from) || !Array.isArray(to))
      return { label, from: read(from, reader), to: read(to, reader) };
    const [before = [], after = []] = [from, to].map((list) => list.map((one) => read(one, reader)));
    return { label, from: missingIn(after, before), to: missingIn(before, after) };
  });
  return told.filter(({ from, to }) => from !== to);
}

type Change = { from: unknown; to: unknown };
type Read = (value: unknown, reader: Reader) => string;

function isChange(value: unknown): value is Change {
  return typeof value === "object" && value !== null && "from" in value && "to" in value;
}

/** The texts of a list that another one has not. */
function missingIn(other: string[], texts: string[]): string {
  return texts.filter((text) => text !== "" && !other.includes(text)).join(", ") || nothing;
}

const nothing = "none";

/** Each field as a page names it, in the order in which it is told. */
const fields: Record<string, { label: string; read?: Read }> = {
  status: { label: "State" },
  fulfillment_status: { label: "Sent" },
  return_status: { label: "Return" },
  pause_until: { label: "Paused until" },
  next_delivery_date: { label: "Next delivery" },
  next_billing_date: { label: "Next charge" },
  delivery_date: { label: "Delivered on" },
  production_date: { label: "Packed on" },
  ends_on: { label: "Ends on" },
  billing_interval_count: { label: "Charged every" },
  billing_interval: { label: "Unit of charges" },
  lines: { label: "Items", read: readLine },
  discounts: { label: "Discounts", read: readDiscount },
  total: { label: "Amount", read: readAmount },
  refunded_amount: { label: "Paid back", read: readAmount },
  delivery_address: { label: "Address", read: (value) => (value ? addressOf(value as never) : nothing) },
  delivery_instructions: { label: "Instructions" },
  note: { label: "Note" },
  billing_blocked_reason: { label: "Billing waits" },
  tracking_company: { label: "Carrier" },
  tracking_number: { label: "Tracking number" },
};

function textOf(value: unknown, { timezone }: Reader): string {
  if (value === null || value === undefined || value === "") return nothing;
  const text = String(value);
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return day("en", text);
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return moment("en", text, timezone);
  return /^[A-Z][A-Z_]+$/.test(text) ? wordOf(text) : text;
}

function readAmount(value: unknown, { currency }: Reader): string {
  if (typeof value !== "number") return nothing;
  return currency === undefined ? String(value) : money("en", value, currency);
}

type Line = { quantity: number; product_title: string; variant_title: string | null; price: number };

function readLine(value: unknown, reader: Reader): string {
  const line = value as Line;
  return `${line.quantity} × ${nameOfGoods(line)} at ${readAmount(line.price, reader)}`;
}

function readDiscount(value: unknown): string {
  const { title, is_active } = value as { title: string; is_active: boolean };
  return is_active ? title : "";
}
