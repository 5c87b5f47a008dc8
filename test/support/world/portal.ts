import { eq } from "drizzle-orm";
import { accounts } from "../../../src/base/accounts/tables.ts";
import { build, statement } from "../../../src/base/db/statement.ts";
import { catalogueItems } from "../../../src/domain/catalogue/tables.ts";
import { paymentMethods } from "../../../src/domain/payment-methods/tables.ts";
import { insertOf } from "../database.ts";
import { type MakePart, stamps } from "./part.ts";

const settings = {
  is_enabled: true,
  can_change_quantity: true,
  can_swap: true,
  can_add: true,
  can_remove: true,
};

export const portalPart: MakePart = (
  { account },
  mark,
  { address, order, profile, spareMethod, subscription, line, plan, variant },
) => ({
  writes: [
    statement(
      build
        .update(accounts)
        .set({ portal: JSON.stringify(settings) })
        .where(eq(accounts.id, account.id)),
    ),
    insertOf(paymentMethods, {
      id: spareMethod,
      account_id: account.id,
      profile_id: profile,
      store_payment_method_id: `${mark}-spare`,
      brand: mark,
      is_default: 0,
      status: "VALID",
      ...stamps,
    }),
    insertOf(catalogueItems, {
      account_id: account.id,
      store_variant_id: variant,
      store_product_id: mark,
      product_title: mark,
      variant_title: mark,
      image_url: null,
      price: 2000,
      selling_plan_ids: JSON.stringify([plan]),
      is_one_time_allowed: 1,
      position: 0,
    }),
  ],
  paths: {
    "/api/portal/me/addresses/{id}": { id: address },
    "/api/portal/me/orders/{id}": { id: order },
    "/api/portal/payment-methods/{id}": { id: spareMethod },
    "/api/portal/payment-methods/{setup_intent_id}/complete": {
      setup_intent_id: `seti_${profile.replaceAll("-", "")}`,
    },
    "/api/portal/subscriptions/{id}/lines": { id: subscription },
    "/api/portal/subscriptions/{id}/payment-update": { id: subscription },
    "/api/portal/subscriptions/{id}/lines/{lineId}": { id: subscription, lineId: line },
  },
  bodies: {
    createPortalSession: { profile_id: profile },
    updateCatalogue: {
      items: [
        {
          store_product_id: "product-9",
          store_variant_id: "variant-9",
          product_title: "Treats",
          price: 4.5,
          selling_plan_ids: [plan],
        },
      ],
    },
    addOwnLine: { store_variant_id: variant, is_one_time: true },
    changeOwnLine: { store_variant_id: variant, quantity: 2 },
  },
  queries: { listPublicSkipReasons: { shop: account.shop }, endPortalSessions: { profile_id: profile } },
});
