import type Stripe from "stripe";
import { z } from "zod";
import type { StorePaymentMethod, StoreProfile } from "../port/payment-methods.ts";
import { StoreRefusalError } from "../port.ts";
import { ensureCustomer } from "./customers.ts";
import { type AskStripe, readIfAny, type SentParams } from "./request.ts";
import { parseResponse } from "./responses.ts";

/** A payment method; undefined if Stripe has none with this id. `now` decides whether it has expired. */
export async function findPaymentMethod(
  ask: AskStripe,
  id: string,
  now: string,
): Promise<StorePaymentMethod | undefined> {
  if (!isMethodId(id)) return undefined;
  const found = await readIfAny(ask, pathOf(id), { expand });
  return found === undefined ? undefined : methodOf(parseResponse(methodSchema, found), now);
}

/** Gives a payment method to the customer of a profile; undefined if Stripe does not: https://docs.stripe.com/api/payment_methods/attach */
export async function attachPaymentMethod(
  ask: AskStripe,
  id: string,
  { accountId, profile, now }: { accountId: string; profile: StoreProfile; now: string },
): Promise<StorePaymentMethod | undefined> {
  const customer = await ensureCustomer(ask, accountId, profile);
  const params: SentParams<Stripe.PaymentMethodAttachParams> = { customer, expand };
  const attached = await ask({ method: "POST", path: `${pathOf(id)}/attach`, params }).catch((error) => {
    if (error instanceof StoreRefusalError && saysNoOfMethod(error)) return undefined;
    throw error;
  });
  return attached === undefined ? undefined : methodOf(parseResponse(methodSchema, attached), now);
}

/** Takes a payment method from its customer, for good; one that has none already is no fault. */
export async function removePaymentMethod(ask: AskStripe, id: string, now: string): Promise<void> {
  const method = await findPaymentMethod(ask, id, now);
  if (method?.store_customer_id) await ask({ method: "POST", path: `${pathOf(id)}/detach` });
}

const expand = ["customer"];

function pathOf(id: string): string {
  return `/v1/payment_methods/${encodeURIComponent(id)}`;
}

/** Nothing else is put into a path. Cards that were stored before there were payment methods have ids of their own, too. */
function isMethodId(id: string): boolean {
  return /^(pm|card|src|ba)_\w{1,250}$/.test(id);
}

/** A refusal of the method, and not of this service's key. */
function saysNoOfMethod({ codes }: StoreRefusalError): boolean {
  return codes.includes("HTTP_400") || codes.includes("HTTP_402") || codes.includes("HTTP_404");
}

const text = z.string().nullish();
const number = z.int().nullish();

/** The details that are shown of a payment method are under the name of its type: https://docs.stripe.com/api/payment_methods/object */
const detailsSchema = z.object({ brand: text, last4: text, exp_month: number, exp_year: number });

const methodSchema = z.looseObject({
  id: z.string(),
  type: z.string(),
  customer: z.union([z.string(), z.object({ id: z.string(), email: text })]).nullable(),
});

function methodOf(method: z.output<typeof methodSchema>, now: string): StorePaymentMethod {
  const { id, type, customer } = method;
  const details = detailsSchema.safeParse(method[type]).data;
  const { exp_month = null, exp_year = null } = details ?? {};
  const isExpired = isPast(exp_month, exp_year, now);
  return {
    store_payment_method_id: id,
    store_customer_id: typeof customer === "string" ? customer : (customer?.id ?? null),
    store_customer_email: typeof customer === "string" ? null : (customer?.email ?? null),
    brand: details?.brand ?? type,
    last4: details?.last4 ?? null,
    exp_month,
    exp_year,
    is_default: false,
    status: customer === null ? "REVOKED" : isExpired ? "EXPIRED" : "VALID",
  };
}

function isPast(month: number | null, year: number | null, now: string): boolean {
  if (month === null || year === null) return false;
  return now.slice(0, 7) > `${year}-${String(month).padStart(2, "0")}`;
}
