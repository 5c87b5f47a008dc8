import type { Failure } from "./outcomes.ts";

/** Stripe's records, as the API answers them (docs.stripe.com/api, one page for each object). Fields that nothing here needs are left out. */
export type Metadata = Record<string, string>;

type Made<Name extends string> = { id: string; object: Name; created: number; livemode: boolean };

export type Address = Record<"city" | "country" | "line1" | "line2" | "postal_code" | "state", string | null>;

export type Customer = Made<"customer"> & {
  email: string | null;
  name: string | null;
  phone: string | null;
  description: string | null;
  address: Address | null;
  shipping: { address: Address; name: string; phone: string | null } | null;
  metadata: Metadata;
  invoice_settings: { default_payment_method: string | null };
};

export type Card = {
  brand: string;
  display_brand: string;
  country: string;
  exp_month: number;
  exp_year: number;
  fingerprint: string;
  funding: "credit" | "debit" | "prepaid";
  last4: string;
  networks: { available: string[]; preferred: string | null };
  three_d_secure_usage: { supported: boolean };
  wallet: null;
};

export type PaymentMethodType = "card" | "sepa_debit" | "us_bank_account";

export type PaymentMethod = Made<"payment_method"> & {
  type: PaymentMethodType;
  customer: string | null;
  billing_details: {
    address: Address;
    email: string | null;
    name: string | null;
    phone: string | null;
    tax_id: null;
  };
  allow_redisplay: "always" | "limited" | "unspecified";
  metadata: Metadata;
  card?: Card;
  sepa_debit?: { bank_code: string; country: string; fingerprint: string; last4: string };
  us_bank_account?: {
    account_holder_type: string;
    account_type: string;
    bank_name: string;
    last4: string;
    routing_number: string;
  };
};

/** The error of an intent that was declined. It holds the payment method, which the intent itself has no longer. */
export type IntentError = Omit<Failure, "message"> & {
  type: "card_error" | "invalid_request_error";
  message: string;
  doc_url: string;
  charge?: string;
  payment_method: PaymentMethod;
};

export type NextAction =
  | { type: "use_stripe_sdk"; use_stripe_sdk: { type: "three_d_secure_redirect"; stripe_js: string } }
  | { type: "redirect_to_url"; redirect_to_url: { return_url: string; url: string } };

export type IntentStatus =
  | "requires_payment_method"
  | "requires_confirmation"
  | "requires_action"
  | "processing"
  | "succeeded"
  | "canceled";

export type PaymentIntent = Made<"payment_intent"> & {
  amount: number;
  amount_capturable: number;
  amount_received: number;
  automatic_payment_methods: { enabled: boolean; allow_redirects: "always" | "never" } | null;
  allowed_payment_method_types: string[] | null;
  canceled_at: number | null;
  cancellation_reason: string | null;
  capture_method: "automatic_async";
  client_secret: string;
  confirmation_method: "automatic";
  currency: string;
  customer: string | null;
  description: string | null;
  last_payment_error: IntentError | null;
  latest_charge: string | null;
  metadata: Metadata;
  next_action: NextAction | null;
  payment_method: string | null;
  payment_method_types: string[];
  receipt_email: string | null;
  setup_future_usage: string | null;
  shipping: unknown;
  statement_descriptor_suffix: string | null;
  status: IntentStatus;
};

export type SetupIntent = Made<"setup_intent"> & {
  automatic_payment_methods: PaymentIntent["automatic_payment_methods"];
  allowed_payment_method_types: string[] | null;
  cancellation_reason: string | null;
  client_secret: string;
  customer: string | null;
  description: string | null;
  last_setup_error: IntentError | null;
  mandate: string | null;
  metadata: Metadata;
  next_action: NextAction | null;
  payment_method: string | null;
  payment_method_types: string[];
  status: "requires_payment_method" | "requires_confirmation" | "requires_action" | "succeeded" | "canceled";
  usage: "off_session" | "on_session";
};

export type Charge = Made<"charge"> & {
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  balance_transaction: string | null;
  billing_details: PaymentMethod["billing_details"];
  captured: boolean;
  currency: string;
  customer: string | null;
  description: string | null;
  disputed: boolean;
  failure_code: string | null;
  failure_message: string | null;
  metadata: Metadata;
  outcome: {
    advice_code: string | null;
    network_advice_code: string | null;
    network_decline_code: string | null;
    network_status: string;
    reason: string | null;
    seller_message: string;
    type: string;
  };
  paid: boolean;
  payment_intent: string;
  payment_method: string;
  payment_method_details: Record<string, unknown>;
  refunded: boolean;
  status: "succeeded" | "pending" | "failed";
};

export type Refund = Omit<Made<"refund">, "livemode"> & {
  amount: number;
  balance_transaction: string | null;
  charge: string;
  currency: string;
  failure_reason?: string;
  metadata: Metadata;
  payment_intent: string;
  reason: "duplicate" | "fraudulent" | "requested_by_customer" | null;
  receipt_number: null;
  status: "pending" | "succeeded" | "failed" | "canceled";
};

export type DisputeStatus =
  | "warning_needs_response"
  | "warning_under_review"
  | "warning_closed"
  | "needs_response"
  | "under_review"
  | "won"
  | "lost";

export type Dispute = Made<"dispute"> & {
  amount: number;
  charge: string;
  currency: string;
  evidence_details: { due_by: number; has_evidence: boolean; past_due: boolean; submission_count: number };
  is_charge_refundable: boolean;
  metadata: Metadata;
  payment_intent: string;
  reason: string;
  status: DisputeStatus;
};

export type CheckoutSession = Made<"checkout.session"> & {
  cancel_url: string | null;
  client_reference_id: string | null;
  currency: string | null;
  customer: string | null;
  expires_at: number;
  metadata: Metadata;
  mode: "setup";
  payment_method_types: string[];
  payment_status: "no_payment_required";
  setup_intent: string;
  status: "open" | "complete" | "expired";
  success_url: string | null;
  url: string | null;
};

export type WebhookEndpoint = Made<"webhook_endpoint"> & {
  api_version: string | null;
  description: string | null;
  enabled_events: string[];
  metadata: Metadata;
  status: "enabled" | "disabled";
  url: string;
};

export type StripeEvent = Made<"event"> & {
  api_version: string;
  data: { object: Record<string, unknown>; previous_attributes?: Record<string, unknown> };
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
};
