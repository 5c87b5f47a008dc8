import type { Json } from "../../support/shops.ts";
import type { ConnectedShop } from "./shop.ts";

type Checkout = Parameters<ConnectedShop["store"]["checkoutContract"]>[0];

/** The address of a customer in Berlin, as the store has it. */
export const berlin = { address1: "Invalidenstr. 1", city: "Berlin", zip: "10115", countryCode: "DE" };

type Changes = Partial<Omit<Checkout, "customer" | "method">> & {
  line?: Partial<Checkout["lines"][number]>;
  customer?: Json;
};

/** A customer whom nobody here knows subscribes at the store's checkout: 10.00 a month, unless changed. Returns the contract's global id. */
export function soldAtCheckout(
  { store }: ConnectedShop,
  { line, customer, ...changes }: Changes = {},
): string {
  const id = store.addCustomer({ email: "grace@customers.test", firstName: "Grace", ...customer });
  return store.checkoutContract({
    customer: id,
    method: store.addPaymentMethod(id),
    address: berlin,
    lines: [
      {
        productVariantId: "gid://shopify/ProductVariant/41001",
        quantity: 1,
        currentPrice: "10.00",
        sellingPlanId: "gid://shopify/SellingPlan/4401",
        ...line,
      },
    ],
    ...changes,
  });
}
