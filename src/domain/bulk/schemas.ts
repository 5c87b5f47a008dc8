import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { named } from "../../kit/http/document/describe.ts";
import { exactlyOne } from "../../kit/http/document/field-rules.ts";
import { moneyIn } from "../../kit/http/document/money.ts";
import {
  freeForm,
  futureDateIn,
  idIn,
  maxText,
  nullableText,
  queryBoolean,
  storeId,
  text,
} from "../../kit/http/document/params.ts";
import {
  CancelRequest,
  NoFields,
  PauseRequest,
  RestartRequest,
  SkipDeliveriesRequest,
} from "../subscriptions/lifecycle-requests.ts";
import { DiscountCreate } from "../subscriptions/lines/discount-schemas.ts";
import { AddedLine } from "../subscriptions/lines/line-schemas.ts";
import { SubscriptionQuery } from "../subscriptions/list/list-query.ts";
import { InstructionsChange, ScheduleChange } from "../subscriptions/requests.ts";
import { type BulkAction, bulkActions } from "./actions.ts";

/** The most subscriptions that a request can name by their ids. */
const idsMax = 10_000;

const title = text({ min: 1, max: maxText });

/** The product that a line is swapped for: its variant, with what else of the line is to change. */
const SwappedFor = z.strictObject({
  store_variant_id: storeId("ProductVariant"),
  store_product_id: storeId("Product").optional(),
  product_title: title.optional(),
  variant_title: nullableText(maxText).optional(),
  sku: nullableText(maxText).optional(),
});

/** A date under the name that the API's own operation has for it, or under a shorter one. */
function withAlias<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  alias: string,
  name: keyof Shape & string,
) {
  return z.preprocess((value) => {
    if (typeof value !== "object" || value === null || !(alias in value) || name in value) return value;
    const { [alias]: date, ...rest } = value as Record<string, unknown>;
    return { ...rest, [name]: date };
  }, schema);
}

const PriceChange = z
  .strictObject({
    store_variant_id: storeId("ProductVariant"),
    price: moneyIn,
    from_cycle: z.int().min(1).max(100_000).optional(),
    effective_on: futureDateIn.optional(),
  })
  .superRefine(({ from_cycle, effective_on }, c) => {
    if ((from_cycle === undefined) !== (effective_on === undefined)) return;
    c.addIssue({
      code: "custom",
      path: ["from_cycle"],
      message: "must be sent, or effective_on, and not both",
    });
  });

const { delivery_instructions } = InstructionsChange.shape;

/** The input of each action. Where the API has an operation for it, that is the body of the operation. */
export const bulkInputs: Record<BulkAction, z.ZodType> = {
  swap_variant: z.strictObject({
    from: storeId("ProductVariant"),
    to: z.union([
      storeId("ProductVariant").transform((store_variant_id) => ({ store_variant_id })),
      SwappedFor,
    ]),
    price: z.union([z.literal("keep"), moneyIn]),
  }),
  change_price: PriceChange,
  move_slot: z.strictObject({ from_slot_id: idIn, to_slot_id: idIn }),
  skip_deliveries: SkipDeliveriesRequest,
  reschedule: withAlias(ScheduleChange, "date", "next_delivery_date"),
  pause: withAlias(PauseRequest, "until", "pause_until"),
  resume: RestartRequest,
  cancel: CancelRequest,
  apply_discount: DiscountCreate,
  remove_discount: z.strictObject({ title: text({ min: 1, max: 255 }) }),
  add_one_time_line: z.strictObject({ ...AddedLine.shape, is_one_time: z.literal(true).optional() }),
  set_instructions: z.strictObject({ delivery_instructions }),
  retry_payment: NoFields,
};

const {
  page: _page,
  limit: _limit,
  cursor: _cursor,
  sort_by: _sort,
  sort_order: _order,
  ...filters
} = SubscriptionQuery.shape;

/** The filters of the list of subscriptions. */
export const BulkFilter = z.strictObject(filters);

export const BulkRequest = named(
  "BulkRequest",
  z.strictObject({
    action: z.enum(bulkActions),
    input: freeForm.optional(),
    filter: freeForm.optional(),
    ids: z.array(idIn).min(1).max(idsMax).optional(),
    notice_days: z.int().min(0).max(365).optional(),
    preview_job_id: idIn.optional(),
  }),
  {
    action: [
      "What is done to each subscription: swap_variant, change_price, move_slot, skip_deliveries, reschedule, pause, resume, cancel, apply_discount, remove_discount, add_one_time_line, set_instructions or retry_payment.",
      "skip_deliveries",
    ],
    input: [
      'What the action is given. swap_variant {from, to, price: "keep" or a number}; change_price {store_variant_id, price, from_cycle or effective_on}; move_slot {from_slot_id, to_slot_id}; skip_deliveries {count}; reschedule {date}; pause {until}; cancel {cancellation_reason_id}; remove_discount {title}; set_instructions {delivery_instructions}; apply_discount and add_one_time_line as the operations of one subscription. Absent: nothing.',
      { count: 1 },
    ],
    filter: [
      "Which subscriptions: the filters of GET /api/subscriptions, by name, as text, number, boolean or list. An empty object is all of them. Needed where there are no ids.",
      { delivery_slot_id: demoId("delivery_slot", 1), status: "ACTIVE" },
    ],
    ids: [
      "Which subscriptions, by their ids: 1 to 10,000, each once. Needed where there is no filter.",
      [demoId("subscription", 1)],
    ],
    notice_days: [
      "Days between today and the first billing at a new price, at least: 0 to 365. By default 30 where the price rises, by change_price or swap_variant, else 0. Subscriptions billed earlier are skipped.",
      14,
    ],
    preview_job_id: [
      "The dry run that the job is to be done as, with the header Preview of its answer as If-Preview: another list is 409, and a row that would come out otherwise by now is SKIPPED with changed_since_preview.",
      demoId("job", 1),
    ],
  },
  {
    ...exactlyOne("filter", "ids"),
    example: {
      action: "skip_deliveries",
      input: { count: 1 },
      filter: { delivery_slot_id: demoId("delivery_slot", 1), status: "ACTIVE" },
    },
  },
).superRefine(({ filter, ids }, c) => {
  if ((filter === undefined) === (ids === undefined))
    c.addIssue({ code: "custom", path: ["filter"], message: "must be sent, or ids, and not both" });
});

export const BulkQuery = z.strictObject({
  dry_run: queryBoolean.optional().openapi({
    param: {
      description:
        "Whether this is a dry run: the job's rows then say what would come of each subscription, and nothing else changes. False by default.",
    },
  }),
});
