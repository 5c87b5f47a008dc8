import type { z } from "@hono/zod-openapi";
import { retryOnConflict } from "../../base/db/retry-on-conflict.ts";
import { DomainError } from "../../base/errors.ts";
import { definedFields } from "../../base/lib/defined-fields.ts";
import type { Ctx } from "../../kit/context.ts";
import { change } from "../../kit/journal/write.ts";
import { orderSearchText } from "../orders/search.ts";
import { orderEvents } from "../orders/store-order.ts";
import { fulfillmentStatuses, type Order } from "../orders/tables.ts";
import { isErased } from "../profiles/queries.ts";
import { requireKeptHere } from "./kept-here.ts";
import { orderChange } from "./order-entry.ts";
import { getOwnOrder } from "./queries.ts";
import type { FulfillmentRequest } from "./requests.ts";

type Fulfillment = { id: string; request: z.output<typeof FulfillmentRequest> };

/** Records how far an order is sent, and how its parcel is followed. The same once more writes nothing. Returns the order as it is then. */
export function fulfillOrder(ctx: Ctx, { id, request }: Fulfillment): Promise<Order> {
  return retryOnConflict(async () => {
    const order = await getOwnOrder(ctx, id);
    const { row } = order;
    requireKeptHere(ctx, row, "fulfilled");
    requireForward(row, request.fulfillment_status);
    const fields = definedFields(request) as Partial<Order>;
    const after = { ...fields, search_text: orderSearchText({ ...row, ...fields }) };
    const [action] = orderEvents(row, after);
    const entry = orderChange(order, action, after);
    if (Object.keys(entry.changes ?? {}).length === 0) return row;
    await requireTrackable(ctx, row, fields);
    await change(ctx, entry);
    return { ...row, ...after, revision: row.revision + 1, updated_at: ctx.now };
  });
}

/** Throws INVALID_STATE for a cancelled order, and for one that has been sent further than it is said to be. */
function requireForward(row: Order, status: Order["fulfillment_status"]): void {
  if (row.status === "CANCELLED")
    throw new DomainError("INVALID_STATE", "The order is cancelled, so it cannot be fulfilled");
  if (fulfillmentStatuses.indexOf(status) < fulfillmentStatuses.indexOf(row.fulfillment_status))
    throw new DomainError(
      "INVALID_STATE",
      `The order is ${row.fulfillment_status} already, and cannot become ${status} again`,
    );
}

/** The tracking of a parcel leads to its address, so that none is stored for a customer whose data was erased. */
async function requireTrackable(ctx: Ctx, { profile_id }: Order, fields: Partial<Order>): Promise<void> {
  const { tracking_number, tracking_company, tracking_url } = fields;
  if (!(tracking_number ?? tracking_company ?? tracking_url) || profile_id === null) return;
  if (await isErased(ctx, profile_id))
    throw new DomainError("INVALID_STATE", "The customer's data was erased, so that no tracking is stored");
}
