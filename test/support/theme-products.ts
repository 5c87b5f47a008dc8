/** Products as Liquid sees them: https://shopify.dev/docs/api/liquid/objects/product. Amounts are minor units, as everywhere in Liquid. */
export type Plan = {
  id: number;
  name: string;
  options: { name: string; value: string }[];
  price_adjustments: { order_count: number | null }[];
};

type Terms = { price: number; compareAt?: number; perDelivery?: number; afterwards?: number };
export type Allocation = ReturnType<typeof allocation>;
export type Group = { id: string; name: string; selling_plans: Plan[] };

export function plan(id: number, name: string, more: Partial<Plan> = {}): Plan {
  return { id, name, options: [{ name: "Delivery", value: name }], price_adjustments: [], ...more };
}

export function allocation(group: string, selling_plan: Plan, { price, ...terms }: Terms) {
  return {
    selling_plan,
    selling_plan_group_id: group,
    price,
    compare_at_price: terms.compareAt ?? price,
    per_delivery_price: terms.perDelivery ?? price,
    price_adjustments: [price, ...(terms.afterwards === undefined ? [] : [terms.afterwards])].map(
      (each, at) => ({
        position: at + 1,
        price: each,
      }),
    ),
  };
}

export function variant(id: number, title: string, price: number, more: object = {}) {
  return {
    id,
    title,
    price,
    available: true,
    requires_selling_plan: false,
    url: `/products/food?variant=${id}`,
    selling_plan_allocations: [] as Allocation[],
    ...more,
  };
}

export function product(
  groups: Group[],
  variants: ReturnType<typeof variant>[],
  more: { requires_selling_plan?: boolean; selected_or_first_available_variant?: { id: number } } = {},
) {
  return {
    id: 1,
    title: "Food",
    requires_selling_plan: false,
    selected_selling_plan: null,
    selling_plan_groups: groups,
    variants,
    selected_or_first_available_variant: variants[0],
    ...more,
  };
}

const weekly = plan(11, "Every week");
const monthly = plan(12, "Every month");
const prepaid = plan(21, "Every month, three at once", {
  options: [{ name: "Deliver every", value: "1 month" }],
});
const trial = plan(31, "Trial", { price_adjustments: [{ order_count: 2 }, { order_count: null }] });
const group = (id: string, name: string, selling_plans: Plan[]): Group => ({ id, name, selling_plans });

const one = group("g1", "Subscription", [weekly, monthly]);
const ahead = group("g2", "Prepaid", [prepaid]);
const tries = group("g3", "Try it", [trial]);

function allOf(price: number): Allocation[] {
  return [
    allocation("g1", weekly, { price: price * 0.9, compareAt: price }),
    allocation("g1", monthly, { price }),
    allocation("g2", prepaid, { price: price * 2.4, compareAt: price * 3, perDelivery: price * 0.8 }),
    allocation("g3", trial, { price: price * 0.5, compareAt: price, afterwards: price * 0.9 }),
  ];
}

const small = variant(101, "Small <1 kg>", 2000, { selling_plan_allocations: allOf(2000) });
const large = variant(102, "Large", 5000, { selling_plan_allocations: allOf(5000), available: false });

/** The products that the blocks are rendered over. */
export const products = {
  none: product([], [variant(101, "Default", 2000)]),
  oneGroup: product([one], [{ ...small, selling_plan_allocations: allOf(2000).slice(0, 2) }]),
  manyGroups: product([one, ahead, tries], [small, large]),
  soldOut: product([one, ahead, tries], [small, large], { selected_or_first_available_variant: large }),
  plansOnly: product([one], [{ ...small, selling_plan_allocations: allOf(2000).slice(0, 2) }], {
    requires_selling_plan: true,
  }),
  manyPlans: product(
    [group("g1", "Subscription", [])],
    [
      variant(101, "Default", 2000, {
        selling_plan_allocations: [1, 2, 3, 4, 5, 6].map((weeks) =>
          allocation("g1", plan(weeks, `Every ${weeks} weeks`), {
            price: 2000 - weeks * 50,
            compareAt: 2000,
          }),
        ),
      }),
    ],
  ),
};
