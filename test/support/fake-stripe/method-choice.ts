import { invalid } from "./errors.ts";
import type { Params } from "./form.ts";
import { list, nested, oneOf, text } from "./parameters.ts";
import { findMethod, refuseDetached } from "./payment-methods.ts";
import type { PaymentIntent } from "./records.ts";
import type { FakeAccount } from "./store.ts";

/**
 * The types that an intent may be paid by: those turned on in the Dashboard, less those that the request leaves out. Since
 * 2026-09-30.endive they cannot be named by `payment_method_types`
 * (docs.stripe.com/changelog/endive/2026-09-30/removes-the-payment-method-types-parameter-from-payment-intents-and-setup-intents).
 */
export function typesOf(account: FakeAccount, params: Params, version: string) {
  const named = list(params, "payment_method_types");
  if (named && version >= "2026-09-30")
    throw invalid("payment_method_types is no longer supported. Use allowed_payment_method_types instead.", {
      code: "payment_method_types_no_longer_supported",
      param: "payment_method_types",
    });
  const allowed = list(params, "allowed_payment_method_types");
  const excluded = list(params, "excluded_payment_method_types") ?? [];
  const automatic = nested(params, "automatic_payment_methods") ?? {};
  // Turned on by default since 2023-08-16 (docs.stripe.com/changelog/2023-08-16/automatic-payment-methods).
  const allow_redirects = oneOf(automatic, "allow_redirects", ["always", "never"]) ?? "always";
  const offered = allowed ?? account.settings.paymentMethodTypes;
  return {
    automatic_payment_methods: named ? null : { enabled: true, allow_redirects },
    allowed_payment_method_types: allowed ?? null,
    payment_method_types: named ?? offered.filter((one) => !excluded.includes(one)),
  };
}

/** Takes the payment method that a request names. */
export function takeMethod(account: FakeAccount, intent: PaymentIntent, params: Params): void {
  const id = text(params, "payment_method");
  if (id === undefined) return;
  const method = findMethod(account, id, "payment_method");
  refuseDetached(method);
  // The texts and codes of these three: logs of public apps.
  if (method.customer !== null && intent.customer === null)
    throw invalid(
      `The PaymentMethod ${method.id} belongs to a Customer. Please include the Customer in the \`customer\` parameter on the PaymentIntent.`,
      { param: "payment_method" },
    );
  if (method.customer !== null && method.customer !== intent.customer)
    throw invalid(
      `The customer does not have a payment method with the ID ${method.id}. The payment method must be attached to the customer.`,
      { param: "payment_method" },
    );
  if (!intent.payment_method_types.includes(method.type))
    throw invalid(
      `The PaymentMethod provided (${method.type}) is not allowed for this PaymentIntent. Please attach a valid PaymentMethod to use with this PaymentIntent.`,
      { code: "payment_intent_incompatible_payment_method", param: "payment_method" },
    );
  intent.payment_method = method.id;
  intent.status = "requires_confirmation";
}
