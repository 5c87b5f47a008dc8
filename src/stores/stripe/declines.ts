import { type DeclineClass, declineMeanings } from "../decline-classes.ts";
import type { Failure } from "../port.ts";

/** Stripe's words about a payment that failed: the reason of the card's issuer, its own code, and what to do about it. */
export type StripeFailure = {
  decline_code?: string | null | undefined;
  code?: string | null | undefined;
  advice_code?: string | null | undefined;
  message?: string | null | undefined;
};

/** The failure that an error stands for. `isRefused`: Stripe has refused to make the payment, so that it does not know the key. */
export function classifyFailure(error: StripeFailure, isRefused: boolean): Failure {
  const code = error.decline_code ?? error.code ?? "generic_decline";
  const { failure, isFinal } = declineMeanings[classes.get(code) ?? "unknown"];
  return {
    failure,
    isFinal: isFinal || (failure === "customer" && error.advice_code === "do_not_try_again"),
    code,
    message: error.message ?? `Stripe answered ${code}`,
    isRefused,
  };
}

/** The failure of a request that Stripe has refused because of the merchant. */
export function merchantsFailure(code: string, message: string): Failure {
  return { ...declineMeanings.merchant, code, message, isRefused: true };
}

/** Whether Stripe's documentation has a code. */
export function isPublished(code: string): boolean {
  return classes.has(code);
}

/** Whether the issuer asks for the customer, who can confirm the payment: https://docs.stripe.com/declines/codes */
export function asksForCustomer({ decline_code, code }: StripeFailure): boolean {
  return code === "authentication_required" || decline_code === "authentication_required";
}

/** Every decline code, of cards and of other payment methods: https://docs.stripe.com/declines/codes */
export const declineClasses: Record<string, DeclineClass> = {
  approve_with_id: "retry",
  authentication_not_handled: "customer",
  authentication_required: "customer",
  call_issuer: "retry",
  card_not_supported: "hard",
  card_velocity_exceeded: "retry",
  compliance_violation: "merchant",
  currency_not_supported: "hard",
  do_not_honor: "retry",
  do_not_try_again: "hard",
  duplicate_transaction: "retry",
  expired_card: "hard",
  expired_payment_information: "hard",
  fraudulent: "hard",
  generic_decline: "retry",
  incorrect_address: "hard",
  incorrect_cvc: "hard",
  incorrect_number: "hard",
  incorrect_pin: "customer",
  incorrect_zip: "hard",
  insufficient_funds: "retry",
  invalid_account: "hard",
  invalid_amount: "retry",
  invalid_authorization: "hard",
  invalid_billing_agreement: "hard",
  invalid_business_account: "merchant",
  invalid_customer_account: "customer",
  invalid_cvc: "hard",
  invalid_expiry_month: "hard",
  invalid_expiry_year: "hard",
  invalid_number: "hard",
  invalid_payment_information: "hard",
  invalid_pin: "customer",
  issuer_not_available: "retry",
  lost_card: "hard",
  merchant_blacklist: "hard",
  mobile_device_authentication_required: "customer",
  new_account_information_available: "hard",
  no_action_taken: "retry",
  not_permitted: "retry",
  offline_pin_required: "customer",
  online_or_offline_pin_required: "customer",
  partner_generic_decline: "retry",
  partner_high_risk_customer: "hard",
  partner_payment_not_found: "retry",
  payment_disputed: "retry",
  payment_limit_exceeded: "retry",
  pickup_card: "hard",
  pin_try_exceeded: "customer",
  processing_error: "retry",
  reenter_transaction: "retry",
  restricted_card: "hard",
  revocation_of_all_authorizations: "hard",
  revocation_of_authorization: "hard",
  security_violation: "retry",
  service_not_allowed: "retry",
  stolen_card: "hard",
  stop_payment_order: "hard",
  testmode_decline: "hard",
  transaction_not_allowed: "retry",
  try_again_later: "retry",
  withdrawal_count_limit_exceeded: "retry",
};

/** The error codes that say something about a payment method or its owner: https://docs.stripe.com/error-codes */
export const errorClasses: Record<string, DeclineClass> = {
  account_closed: "hard",
  account_number_invalid: "hard",
  authentication_failure: "customer",
  authentication_required: "customer",
  bank_account_bad_routing_numbers: "hard",
  bank_account_declined: "retry",
  bank_account_restricted: "hard",
  bank_account_unusable: "hard",
  bank_account_unverified: "hard",
  bank_account_verification_failed: "hard",
  card_decline_rate_limit_exceeded: "retry",
  card_declined: "retry",
  charge_exceeds_source_limit: "retry",
  charge_exceeds_transaction_limit: "retry",
  debit_not_authorized: "hard",
  expired_card: "hard",
  expired_payment_method: "hard",
  incorrect_address: "hard",
  incorrect_cvc: "hard",
  incorrect_number: "hard",
  incorrect_postal_code: "hard",
  incorrect_zip: "hard",
  india_recurring_payment_mandate_canceled: "hard",
  insufficient_funds: "retry",
  invalid_card_type: "hard",
  invalid_cvc: "hard",
  invalid_expiry_month: "hard",
  invalid_expiry_year: "hard",
  invalid_number: "hard",
  no_account: "hard",
  payment_intent_action_required: "customer",
  payment_intent_authentication_failure: "customer",
  payment_intent_mandate_invalid: "hard",
  payment_intent_payment_attempt_expired: "retry",
  payment_intent_payment_attempt_failed: "retry",
  payment_method_bank_account_blocked: "hard",
  payment_method_currency_mismatch: "hard",
  payment_method_customer_decline: "customer",
  payment_method_provider_decline: "retry",
  payment_method_provider_timeout: "retry",
  payment_method_restricted: "hard",
  payment_method_unexpected_state: "hard",
  processing_error: "retry",
  refer_to_customer: "hard",
  resource_missing: "hard",
  routing_number_invalid: "hard",
  sepa_unsupported_account: "hard",
  three_d_secure_authentication_not_supported: "customer",
  three_d_secure_authentication_upstream_error: "customer",
};

/** All other error codes, and the type of an error without a code: the request, or what the merchant has set up at Stripe, is the cause. */
export const merchantCodes = [
  "invalid_request_error",
  "account_country_invalid_address account_error_country_change_requires_additional_steps",
  "account_information_mismatch account_invalid account_token_required_for_v2_account",
  "acss_debit_session_incomplete action_blocked alipay_upgrade_required amount_too_large",
  "amount_too_small anomalous_money_movement_request api_key_expired application_fees_not_allowed",
  "approval_required balance_insufficient balance_invalid_parameter bank_account_exists",
  "billing_invalid_mandate bitcoin_upgrade_required capability_not_active",
  "capture_charge_authorization_expired capture_unauthorized_payment cardholder_phone_number_required",
  "charge_already_captured charge_already_refunded charge_disputed charge_expired_for_capture",
  "charge_invalid_parameter charge_not_refundable clearing_code_unsupported country_code_invalid",
  "country_unsupported coupon_expired customer_max_payment_methods customer_max_subscriptions",
  "customer_session_expired customer_tax_location_invalid dispute_evidence_page_limit_exceeded",
  "email_invalid failed_tax_calculation financial_account_balance_does_not_support_currency",
  "financial_account_capability_not_enabled financial_account_capability_restricted",
  "financial_connections_account_inactive financial_connections_account_pending_account_numbers",
  "financial_connections_account_unavailable_account_numbers",
  "financial_connections_consent_locale_invalid financial_connections_consent_locale_unsupported",
  "financial_connections_no_successful_transaction_refresh forwarding_api_inactive",
  "forwarding_api_invalid_parameter forwarding_api_retryable_upstream_error",
  "forwarding_api_upstream_connection_error forwarding_api_upstream_connection_timeout",
  "forwarding_api_upstream_error idempotency_key_in_use instant_payouts_config_disabled",
  "instant_payouts_currency_disabled instant_payouts_limit_exceeded instant_payouts_unsupported",
  "intent_invalid_state intent_verification_method_missing invalid_canceled_subscription_fields",
  "invalid_characters invalid_charge_amount invalid_mandate_reference_prefix_format",
  "invalid_source_usage invalid_tax_location invoice_no_customer_line_items",
  "invoice_no_payment_method_types invoice_no_subscription_line_items invoice_not_editable",
  "invoice_on_behalf_of_not_editable invoice_payment_intent_requires_action invoice_upcoming_none",
  "livemode_mismatch lock_timeout missing not_allowed_on_standard_account out_of_inventory",
  "ownership_declaration_not_allowed parameter_invalid_empty parameter_invalid_integer",
  "parameter_invalid_string_blank parameter_invalid_string_empty parameter_missing parameter_unknown",
  "parameters_exclusive payment_evaluation_on_api_version_not_supported",
  "payment_intent_incompatible_payment_method payment_intent_invalid_parameter",
  "payment_intent_konbini_rejected_confirmation_number payment_intent_rate_limit_exceeded",
  "payment_intent_unexpected_state payment_method_bank_account_already_verified",
  "payment_method_billing_details_address_missing payment_method_configuration_failures",
  "payment_method_invalid_parameter payment_method_invalid_parameter_testmode",
  "payment_method_microdeposit_failed payment_method_microdeposit_processing_error",
  "payment_method_microdeposit_verification_amounts_invalid",
  "payment_method_microdeposit_verification_amounts_mismatch",
  "payment_method_microdeposit_verification_attempts_exceeded",
  "payment_method_microdeposit_verification_descriptor_code_mismatch",
  "payment_method_microdeposit_verification_timeout payment_method_not_available",
  "payment_method_unactivated payment_method_unsupported_type payout_reconciliation_not_ready",
  "payouts_limit_exceeded payouts_not_allowed platform_account_required platform_api_key_expired",
  "postal_code_invalid product_inactive progressive_onboarding_limit_exceeded rate_limit",
  "refund_disputed_payment request_blocked resource_already_exists return_intent_already_processed",
  "secret_key_required service_period_coupon_with_metered_tiered_item_unsupported setup_attempt_failed",
  "setup_intent_authentication_failure setup_intent_invalid_parameter setup_intent_mandate_invalid",
  "setup_intent_mobile_wallet_unsupported setup_intent_setup_attempt_expired",
  "setup_intent_unexpected_state shipping_address_invalid shipping_calculation_failed siret_invalid",
  "sku_inactive smart_disputes_not_available state_unsupported status_transition_invalid",
  "storer_capability_missing storer_capability_not_active stripe_tax_inactive",
  "subscription_update_trial_after_billing_cycle_anchor tax_id_invalid tax_id_prohibited",
  "taxes_calculation_failed terminal_location_country_unsupported terminal_reader_busy",
  "terminal_reader_hardware_fault terminal_reader_invalid_location_for_activation",
  "terminal_reader_invalid_location_for_payment terminal_reader_offline terminal_reader_timeout",
  "testmode_charges_only tls_version_unsupported token_already_used token_card_network_invalid",
  "token_in_use transfer_source_balance_parameters_mismatch transfers_not_allowed url_invalid",
].flatMap((line) => line.split(" "));

/** Stripe may send any text as a code, so this is a Map, which has no inherited keys. */
const classes = new Map<string, DeclineClass>([
  ...merchantCodes.map((code) => [code, "merchant"] as const),
  ...Object.entries(errorClasses),
  ...Object.entries(declineClasses),
]);
