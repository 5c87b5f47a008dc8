import { z } from "zod";
import { intervalUnits } from "../../../base/lib/time/intervals.ts";
import { gidOf, plainIdOrNull } from "../../global-ids.ts";
import { contractStatuses, type StoreContract } from "../../port/contracts.ts";
import { customerOf, customerSchema } from "../customers.ts";
import { readContract, readContractOwner } from "../documents.ts";
import { findPromises, type Promises } from "../promises.ts";
import type { AskShopify } from "../request.ts";
import { instantIn, minorOf, parseResponse } from "../responses.ts";
import { checkMark, readMark } from "./contract-input.ts";

/** A contract with everything that a subscription is created from; undefined also for one that only checks how the store behaves. */
export async function findSoldContract(ask: AskShopify, id: number): Promise<StoreContract | undefined> {
  const of = { id: gidOf("SubscriptionContract", id) };
  const { subscriptionContract: sold } = parseResponse(contractSchema, await ask(readContract, of));
  const { subscriptionContract: owned } = parseResponse(ownerSchema, await ask(readContractOwner, of));
  if (!sold || !owned || sold.customAttributes.some(({ key }) => key === checkMark)) return undefined;
  return soldContract(sold, owned, await findPromises(ask, id, sold.currencyCode));
}

const text = z.string().nullable();
const policy = z.object({ interval: z.enum(intervalUnits), intervalCount: z.int() });
const amount = z.object({ amount: z.string() });

const addressSchema = z.object({
  address1: text,
  address2: text,
  city: text,
  company: text,
  country: text,
  countryCodeV2: text,
  firstName: text,
  lastName: text,
  phone: text,
  province: text,
  provinceCode: text,
  zip: text,
});

const line = z.object({
  id: z.string(),
  productId: text,
  variantId: text,
  title: z.string(),
  variantTitle: text,
  sku: text,
  quantity: z.int(),
  currentPrice: amount,
  lineDiscountedPrice: amount,
  sellingPlanId: text,
  sellingPlanName: text,
});

const contractSchema = z.object({
  subscriptionContract: z
    .object({
      status: z.enum(contractStatuses),
      currencyCode: z.string(),
      nextBillingDate: text,
      note: text,
      customAttributes: z.array(z.object({ key: z.string(), value: text })),
      customerPaymentMethod: z.object({ id: z.string() }).nullable(),
      billingPolicy: policy.extend({ minCycles: z.int().nullable(), maxCycles: z.int().nullable() }),
      deliveryPolicy: policy,
      deliveryPrice: amount,
      deliveryMethod: z.object({ address: addressSchema.optional() }).nullable(),
      lines: z.object({ nodes: z.array(line) }),
    })
    .nullable(),
});

const ownerSchema = z.object({
  subscriptionContract: z
    .object({
      createdAt: z.string(),
      originOrder: z.object({ id: z.string() }).nullable(),
      customer: customerSchema.nullable(),
    })
    .nullable(),
});

type Sold = NonNullable<z.output<typeof contractSchema>["subscriptionContract"]>;
type Owned = NonNullable<z.output<typeof ownerSchema>["subscriptionContract"]>;

function linesOf({ lines, currencyCode }: Sold, { priceChanges }: Promises): StoreContract["lines"] {
  return lines.nodes.map((one) => ({
    store_line_id: one.id,
    store_product_id: plainIdOrNull("Product", one.productId),
    store_variant_id: plainIdOrNull("ProductVariant", one.variantId),
    product_title: one.title,
    variant_title: one.variantTitle,
    sku: one.sku,
    quantity: one.quantity,
    price: minorOf({ ...one.currentPrice, currencyCode }),
    discounted_total: minorOf({ ...one.lineDiscountedPrice, currencyCode }),
    price_changes: priceChanges.get(one.id) ?? [],
    selling_plan_id: plainIdOrNull("SellingPlan", one.sellingPlanId),
    selling_plan_name: one.sellingPlanName,
  }));
}

function addressOf(address: z.output<typeof addressSchema> | undefined): StoreContract["address"] {
  return address
    ? {
        address1: address.address1,
        address2: address.address2,
        city: address.city,
        company: address.company,
        country: address.country,
        country_code: address.countryCodeV2,
        first_name: address.firstName,
        last_name: address.lastName,
        phone: address.phone,
        province: address.province,
        province_code: address.provinceCode,
        zip: address.zip,
      }
    : null;
}

function soldContract(sold: Sold, owned: Owned, promises: Promises): StoreContract {
  return {
    status: sold.status,
    subscription_id: readMark(sold.customAttributes).subscription_id,
    created_at: instantIn(owned.createdAt),
    customer: owned.customer && customerOf(owned.customer),
    store_payment_method_id: plainIdOrNull("CustomerPaymentMethod", sold.customerPaymentMethod?.id),
    store_origin_order_id: plainIdOrNull("Order", owned.originOrder?.id),
    currency_code: sold.currencyCode,
    next_billing_at: sold.nextBillingDate === null ? null : instantIn(sold.nextBillingDate),
    billing: { unit: sold.billingPolicy.interval, count: sold.billingPolicy.intervalCount },
    delivery: { unit: sold.deliveryPolicy.interval, count: sold.deliveryPolicy.intervalCount },
    min_cycles: sold.billingPolicy.minCycles,
    max_cycles: sold.billingPolicy.maxCycles,
    delivery_price: minorOf({ ...sold.deliveryPrice, currencyCode: sold.currencyCode }),
    lines: linesOf(sold, promises),
    discounts: promises.discounts,
    inexpressible: promises.inexpressible,
    address: addressOf(sold.deliveryMethod?.address),
    note: sold.note,
  };
}
