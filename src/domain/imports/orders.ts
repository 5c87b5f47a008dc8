import type { ErrorDetail } from "../../base/errors.ts";
import { toMajor } from "../../base/lib/money.ts";
import type { Ctx } from "../../kit/context.ts";
import { orderStatuses } from "../orders/tables.ts";
import type { ImportInput } from "./create.ts";
import { readFields } from "./field-reader.ts";
import type { ImportedLine, OrderField } from "./fields.ts";
import { shortenedFaults } from "./planned/shortened.ts";
import { readTaken } from "./queries.ts";

/** A past order that a row becomes. */
type PlannedOrder = {
  order_ref: string;
  subscription_id: string;
  ordered_at: string;
  total: number;
  status: (typeof orderStatuses)[number];
  tracking: string | null;
  outcome: object;
};

type Asked = { input: ImportInput; refs: string[]; lines: Map<string, ImportedLine[]> };

/** Plans past orders, each of a subscription that was moved in from the same source, or says what is wrong with them. */
export async function planOrders(
  ctx: Ctx,
  { input, refs, lines }: Asked,
): Promise<Map<string, PlannedOrder | { faults: ErrorDetail[] }>> {
  const named = refs.flatMap((ref) => lines.get(ref)?.[0]?.fields.subscription_ref ?? []);
  const asked = { source: input.source, refs: [...new Set(named)], kind: "subscription" as const };
  const { imported } = await readTaken(ctx, asked);
  return new Map(refs.map((ref) => [ref, planOrder(ctx, ref, { lines: lines.get(ref) ?? [], imported })]));
}

function planOrder(
  { account, now }: Ctx,
  ref: string,
  { lines, imported }: { lines: ImportedLine[]; imported: Map<string, string> },
): PlannedOrder | { faults: ErrorDetail[] } {
  const faults = [...lines.flatMap((line) => line.faults), ...shortenedFaults(lines)];
  const reader = readFields<OrderField>(lines[0]?.fields ?? {}, { account, now, faults });
  reader.required("order_ref", reader.text("order_ref", 255));
  const subscription = reader.required("subscription_ref", reader.text("subscription_ref", 255));
  const subscription_id = imported.get(subscription ?? "");
  if (subscription !== undefined && subscription_id === undefined)
    reader.refuse("subscription_ref", "is not a subscription that was moved in from this source");
  const ordered_at = reader.required("ordered_at", reader.instant("ordered_at"));
  if (ordered_at !== undefined && ordered_at > now) reader.refuse("ordered_at", "must not be after now");
  const total = reader.required("total", reader.money("total"));
  const status = reader.oneOf("status", orderStatuses) ?? "PAID";
  const tracking = reader.text("tracking", 255) ?? null;
  if (lines.length > 1) faults.push({ path: "order_ref", message: "is that of several rows" });
  if (faults.length > 0 || subscription_id === undefined || ordered_at === undefined || total === undefined)
    return { faults };
  const outcome = { total_here: toMajor(total, account.currency_code), ordered_at };
  return { order_ref: ref, subscription_id, ordered_at, total, status, tracking, outcome };
}
