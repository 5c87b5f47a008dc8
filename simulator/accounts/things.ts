/** The contents of requests, which the small number `n` varies. */

export function treat(variant: string, n: number, isOnce: boolean) {
  return {
    store_product_id: "31002",
    store_variant_id: variant,
    product_title: "Treat",
    selling_plan_id: "4401",
    price: 3 + n,
    quantity: 1,
    is_one_time: isOnce,
  };
}

export function tenPercent(n: number, target_type: "ORDER" | "SHIPPING_LINE") {
  return {
    title: "Thank you",
    value: 10,
    value_type: "PERCENTAGE" as const,
    target_type,
    recurring_cycle_limit: 1 + n,
  };
}

export function addressOf(n: number) {
  return {
    address1: `${n} New Street`,
    city: "Springfield",
    province: "New York",
    zip: "12345",
    country: "United States",
    country_code: "US",
  };
}
