import { z } from "zod";
import { gidOf, isIdOf, plainIdOf, plainIdOrNull, requireGid } from "../global-ids.ts";
import type { StorePaymentMethod } from "../port/payment-methods.ts";
import { StoreRefusalError } from "../port.ts";
import { emailScope } from "./app/scopes.ts";
import { readPaymentMethod, sendPaymentMethodEmail } from "./documents.ts";
import { type AskShopify, mutate } from "./request.ts";
import { parseResponse } from "./responses.ts";

/** A customer's payment method; undefined if Shopify has none with this id, or it belongs to nobody. `now` decides whether it has expired. */
export async function findPaymentMethod(
  ask: AskShopify,
  id: string,
  now: string,
): Promise<StorePaymentMethod | undefined> {
  if (!isIdOf("CustomerPaymentMethod", id)) return undefined;
  const answer = await ask(readPaymentMethod, { id: gidOf("CustomerPaymentMethod", id) });
  const { customerPaymentMethod } = parseResponse(methodSchema, answer);
  return customerPaymentMethod?.customer ? methodOf(customerPaymentMethod, now) : undefined;
}

/** Has Shopify e-mail the customer a link by which they replace a payment method. Throws StoreRefusalError. */
export async function sendUpdateEmail(ask: AskShopify, id: string): Promise<void> {
  const method = requireGid("CustomerPaymentMethod", id);
  await mutate(ask, sendPaymentMethodEmail, { method }).catch((error) => {
    const isDenied = error instanceof StoreRefusalError && /access denied/i.test(error.message);
    throw isDenied ? new StoreRefusalError(`The app lacks the scope ${emailScope}`, error.codes) : error;
  });
}

const instrument = z.object({
  __typename: z.string(),
  brand: z.string().optional(),
  bankName: z.string().optional(),
  lastDigits: z.string().optional(),
  expiryMonth: z.int().optional(),
  expiryYear: z.int().optional(),
  inactive: z.boolean().optional(),
});
const methodSchema = z.object({
  customerPaymentMethod: z
    .object({
      id: z.string(),
      revokedAt: z.string().nullable(),
      customer: z
        .object({
          id: z.string(),
          defaultEmailAddress: z.object({ emailAddress: z.string() }).nullable(),
        })
        .nullable(),
      instrument: instrument.nullable(),
    })
    .nullable(),
});

const brands = new Map([
  ["CustomerShopPayAgreement", "shop_pay"],
  ["CustomerPaypalBillingAgreement", "paypal"],
]);

function isPast(month: number | undefined, year: number | undefined, now: string): boolean {
  if (month === undefined || year === undefined) return false;
  return now.slice(0, 7) > `${year}-${String(month).padStart(2, "0")}`;
}

function methodOf(
  {
    id,
    revokedAt,
    customer,
    instrument: shown,
  }: NonNullable<z.output<typeof methodSchema>["customerPaymentMethod"]>,
  now: string,
): StorePaymentMethod {
  const { expiryMonth, expiryYear, inactive = false } = shown ?? {};
  const isRevoked = revokedAt !== null || inactive || !shown;
  const isExpired = isPast(expiryMonth, expiryYear, now);
  return {
    store_payment_method_id: plainIdOf("CustomerPaymentMethod", id),
    store_customer_id: plainIdOrNull("Customer", customer?.id),
    store_customer_email: customer?.defaultEmailAddress?.emailAddress ?? null,
    brand: shown ? (shown.brand ?? shown.bankName ?? brands.get(shown.__typename) ?? null) : null,
    last4: shown?.lastDigits ?? null,
    exp_month: expiryMonth ?? null,
    exp_year: expiryYear ?? null,
    is_default: false,
    status: isRevoked ? "REVOKED" : isExpired ? "EXPIRED" : "VALID",
  };
}
