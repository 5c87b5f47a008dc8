import { invalid, StripeError, wrongParameter } from "./errors.ts";
import { emit } from "./events.ts";
import type { Params } from "./form.ts";
import { listPage, listParams } from "./lists.ts";
import { changedMetadata, nested, required, text } from "./parameters.ts";
import type { PaymentMethod } from "./records.ts";
import type { Call, Route } from "./routes.ts";
import { type FakeAccount, findRecord, newRecord } from "./store.ts";
import { instrumentOf, testMethods } from "./test-methods.ts";

/** docs.stripe.com/api/payment_methods */
export const paymentMethodRoutes: Route[] = [
  {
    operation: "payment_methods.retrieve",
    method: "GET",
    path: "/v1/payment_methods/*",
    params: [],
    run: ({ account, ids: [id = ""] }) => findMethod(account, id),
  },
  {
    operation: "payment_methods.update",
    method: "POST",
    path: "/v1/payment_methods/*",
    params: ["billing_details", "card", "metadata", "allow_redisplay"],
    run: updateMethod,
  },
  {
    operation: "payment_methods.attach",
    method: "POST",
    path: "/v1/payment_methods/*/attach",
    params: ["customer"],
    run: ({ account, ids: [id = ""], params }) =>
      attach(account, findMethod(account, id), required(params, "customer")),
  },
  {
    operation: "payment_methods.detach",
    method: "POST",
    path: "/v1/payment_methods/*/detach",
    params: [],
    run: ({ account, ids: [id = ""] }) => {
      const method = findMethod(account, id);
      if (method.customer === null)
        throw invalid(
          "The payment method you provided is not attached to a customer so detachment is impossible.",
        );
      return detach(account, method);
    },
  },
  {
    operation: "payment_methods.list",
    method: "GET",
    path: "/v1/payment_methods",
    params: [...listParams, "customer", "type"],
    run: ({ account, params }) =>
      listMethods(account, "/v1/payment_methods", required(params, "customer"), params),
  },
  {
    operation: "customers.list_payment_methods",
    method: "GET",
    path: "/v1/customers/*/payment_methods",
    params: [...listParams, "type", "allow_redisplay"],
    run: ({ account, ids: [id = ""], params }) =>
      listMethods(account, `/v1/customers/${id}/payment_methods`, id, params),
  },
];

/**
 * A payment method by its id. A test token stands for a new one each time (docs.stripe.com/testing: "By default, a PaymentMethod isn't
 * attached to a Customer"; that its id is another: logs of public apps).
 */
export function findMethod(account: FakeAccount, id: string, param?: string): PaymentMethod {
  return Object.hasOwn(testMethods, id)
    ? createMethod(account, id)
    : findRecord(account.methods, "PaymentMethod", id, param);
}

/** A new payment method that behaves as a test token does. */
export function createMethod(account: FakeAccount, token: string): PaymentMethod {
  const of = Object.hasOwn(testMethods, token) ? testMethods[token] : undefined;
  if (!of) throw new Error(`There is no test payment method ${token}`);
  const { outcome, authentication, refusal, dispute, type } = of;
  const empty = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null };
  const method: PaymentMethod = {
    ...newRecord(account, "payment_method", "pm"),
    type,
    customer: null,
    billing_details: { address: empty, email: null, name: null, phone: null, tax_id: null },
    allow_redisplay: "unspecified",
    metadata: {},
    ...instrumentOf(of),
  };
  account.methods.set(method.id, method);
  account.behaviours.set(method.id, {
    outcome,
    authentication,
    ...(refusal ? { refusal } : {}),
    ...(dispute ? { dispute } : {}),
  });
  return method;
}

/** docs.stripe.com/api/payment_methods/attach: a card that the bank declines is refused; one of another customer is, too. */
export function attach(account: FakeAccount, method: PaymentMethod, customerId: string): PaymentMethod {
  findRecord(account.customers, "customer", customerId, "customer");
  const refusal = account.behaviours.get(method.id)?.refusal;
  if (refusal) throw new StripeError(402, { type: "card_error", ...refusal });
  if (method.customer !== null && method.customer !== customerId)
    throw invalid(
      "The payment method you provided has already been attached to a customer. You can only attach a payment method to one customer.",
    );
  if (detached.has(method))
    throw invalid(
      "This PaymentMethod was previously used without being attached to a Customer or was detached from a Customer, and may not be used again.",
    );
  if (method.customer === customerId) return method;
  method.customer = customerId;
  emit(account, "payment_method.attached", method);
  return method;
}

/** "After a PaymentMethod is detached, it can no longer be used for a payment or re-attached" (docs.stripe.com/api/payment_methods/detach). */
const detached = new WeakSet<PaymentMethod>();

export function detach(account: FakeAccount, method: PaymentMethod): PaymentMethod {
  const previous = { customer: method.customer };
  method.customer = null;
  detached.add(method);
  emit(account, "payment_method.detached", method, previous);
  return method;
}

/** A method that was detached cannot be charged any more. */
export function refuseDetached(method: PaymentMethod): void {
  if (detached.has(method))
    throw invalid(
      "The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.",
      { param: "payment_method" },
    );
}

function listMethods(account: FakeAccount, url: string, customer: string, params: Params) {
  findRecord(account.customers, "customer", customer, "customer");
  const type = text(params, "type");
  const found = [...account.methods.values()].filter(
    (one) => one.customer === customer && (!type || one.type === type),
  );
  return listPage(url, found, params);
}

/** Only a method of a customer can be updated (docs.stripe.com/api/payment_methods/update). */
function updateMethod({ account, ids: [id = ""], params }: Call): PaymentMethod {
  const method = findMethod(account, id);
  if (method.customer === null)
    throw invalid("You must save this PaymentMethod to a customer before you can update it.");
  const before = structuredClone(method);
  const details = nested(params, "billing_details");
  for (const name of ["email", "name", "phone"] as const)
    if (details?.[name] !== undefined) method.billing_details[name] = text(details, name) ?? null;
  const card = nested(params, "card");
  if (card && !method.card) throw wrongParameter("card", "parameter_unknown", "It is no card.");
  if (card && method.card) {
    if (card.exp_month !== undefined) method.card.exp_month = Number(card.exp_month);
    if (card.exp_year !== undefined) method.card.exp_year = Number(card.exp_year);
  }
  method.metadata = changedMetadata(params, method.metadata);
  emit(account, "payment_method.updated", method, before);
  return method;
}
