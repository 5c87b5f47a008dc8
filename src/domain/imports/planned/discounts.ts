import { z } from "@hono/zod-openapi";
import { minorOf } from "../../../base/amounts.ts";
import { invalid } from "../../../base/errors.ts";
import { instantIn, nullableText, text } from "../../../kit/http/document/params.ts";
import { parseReduction } from "../../selling-plans/rules.ts";
import { type Discount, type Line, targetTypes } from "../../subscriptions/lines/amounts.ts";
import type { SubscriptionReader, Surroundings } from "./surroundings.ts";

/** The discounts of the rows: one by its columns, or all of a list. */
export function discountsIn(reader: SubscriptionReader, around: Surroundings, lines: Line[]): Discount[] {
  const one = discountIn(reader, around);
  if (reader.values.discounts === undefined) return one ? [one] : [];
  if (reader.values.discount_type !== undefined)
    reader.refuse("discounts", "must be absent where there is a discount_type");
  const listed = reader.json("discounts", DiscountList) ?? [];
  const currency = around.account.currency_code;
  return listed.flatMap((discount, nth) => {
    const path = `discounts.${nth}`;
    const { value_type: type, value } = discount;
    const reduction = reader.attempt(() => parseReduction(type, value, currency, `${path}.value`));
    const max_amount = reader.attempt(() => ceilingIn(discount.max_amount, currency, `${path}.max_amount`));
    return reduction === undefined
      ? []
      : [
          listedDiscount(
            discount,
            { reduction: { type, value: reduction }, ...(max_amount === undefined ? {} : { max_amount }) },
            { around, lines },
          ),
        ];
  });
}

const momentOrNull = instantIn.nullable().default(null);

/** Discounts as an export writes them; a file of somebody else's may leave out what has a default. */
const DiscountList = z
  .array(
    z.strictObject({
      title: text({ min: 1, max: 255 }),
      status: z.enum(["ACTIVE", "EXHAUSTED", "REMOVED"]).default("ACTIVE"),
      value_type: z.enum(["PERCENTAGE", "FIXED_AMOUNT"]),
      value: z.number().min(0),
      max_amount: z.number().nullable().default(null),
      target_type: z.enum(targetTypes).default("ORDER"),
      lines: z.array(z.int().min(0)).max(250).optional(),
      discount_code: nullableText(255).default(null),
      store_discount_id: text({ min: 1, max: 255 }).optional(),
      recurring_cycle_limit: z.int().min(1).max(10_000).nullable().default(null),
      cycles_used: z.int().min(0).max(10_000).default(0),
      applied_at: instantIn.optional(),
      exhausted_at: momentOrNull,
      removed_at: momentOrNull,
      created_at: instantIn.optional(),
      updated_at: instantIn.optional(),
    }),
  )
  .max(250);

type Listed = z.output<typeof DiscountList>[number];

function listedDiscount(
  { value: _, value_type: __, max_amount: ___, lines: numbers, store_discount_id, ...its }: Listed,
  amounts: Pick<Discount, "reduction" | "max_amount">,
  { around, lines }: { around: Surroundings; lines: Line[] },
): Discount {
  const { now } = around;
  const id = around.newId();
  return {
    ...its,
    ...{ ...amounts, id, store_discount_id: store_discount_id ?? id },
    ...(numbers ? { line_ids: numbers.flatMap((number) => lines[number]?.id ?? []) } : {}),
    applied_at: its.applied_at ?? now,
    created_at: its.created_at ?? now,
    updated_at: its.updated_at ?? now,
  };
}

/** The discount that the columns of a row say, which holds for whole orders. */
function discountIn(reader: SubscriptionReader, { account, now, newId }: Surroundings): Discount | undefined {
  const type = reader.oneOf("discount_type", ["PERCENTAGE", "FIXED_AMOUNT"]);
  const value = reader.number("discount_value");
  const most = reader.number("discount_max_amount");
  const left = reader.integer("discount_cycles_left", 0, 10_000);
  if (type === undefined && value === undefined) return undefined;
  if (type === undefined) {
    if (reader.values.discount_type === undefined)
      reader.refuse("discount_type", "is required with discount_value");
    return undefined;
  }
  if (value === undefined) {
    if (reader.values.discount_value === undefined)
      reader.refuse("discount_value", "is required with discount_type");
    return undefined;
  }
  const reduction = reader.attempt(() =>
    parseReduction(type, value, account.currency_code, "discount_value"),
  );
  const max_amount = reader.attempt(() =>
    ceilingIn(most ?? null, account.currency_code, "discount_max_amount"),
  );
  if (reduction === undefined || reduction === 0 || left === 0) return undefined;
  const id = newId();
  return {
    id,
    status: "ACTIVE",
    discount_code: null,
    title: "Moved in",
    reduction: { type, value: reduction },
    ...(max_amount === undefined ? {} : { max_amount }),
    store_discount_id: id,
    target_type: "ORDER",
    recurring_cycle_limit: left ?? null,
    cycles_used: 0,
    applied_at: now,
    exhausted_at: null,
    removed_at: null,
    created_at: now,
    updated_at: now,
  };
}

/** The most that a discount takes off a charge, in minor units; undefined where it has no bound. */
function ceilingIn(most: number | null, currency: string, path: string): number | undefined {
  if (most === null) return undefined;
  const ceiling = minorOf(most, currency, path);
  if (ceiling > 0) return ceiling;
  throw invalid([{ path, message: "must be more than 0" }]);
}
