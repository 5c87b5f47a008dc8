import { demoId } from "../../base/demo.ts";

/** The columns of a file of subscriptions, each with its meaning and an example. One row is one line of one subscription. */
export const importFields = {
  subscription_ref: [
    "What the other system calls the subscription, at most 255 characters. Rows that share it are the lines of one subscription.",
    "sub-4711",
  ],
  email: [
    "The customer's e-mail address. A customer whom the account does not know is created.",
    "ada@example.com",
  ],
  first_name: ["The customer's first name.", "Ada"],
  last_name: ["The customer's last name.", "Lovelace"],
  phone_number: ["The customer's phone number.", "+1 555 0000001"],
  store_customer_id: ["The customer's id at the connected store.", "customer-1"],
  store_payment_method_id: [
    "The id of the customer's payment method at the connected store. Without one the customer has to name one before the first charge can succeed.",
    "pm_success",
  ],
  remote_gateway: [
    "STRIPE, BRAINTREE or AUTHORIZE_NET: the payment provider that keeps the customer's payment method. The connected store takes it over when the import is written; in place of store_payment_method_id.",
    "STRIPE",
  ],
  remote_customer_id: [
    "The customer's id at that provider: a Stripe customer, a Braintree customer or an Authorize.net customer profile.",
    "cus_9s6XKzkNRiz8i3",
  ],
  remote_payment_method_id: [
    "The payment method's id at that provider: a Stripe payment method, a Braintree payment method token or an Authorize.net payment profile.",
    "pm_1MqLiJLkdIwHu7ix",
  ],
  address_first_name: ["The recipient's first name.", "Ada"],
  address_last_name: ["The recipient's last name.", "Lovelace"],
  company: ["The company at the delivery address.", "Acme"],
  address1: ["The street and house number of the delivery address.", "12 Elm Street"],
  address2: ["A second line of the delivery address.", "Apartment 4"],
  city: ["The city of the delivery address.", "Brooklyn"],
  region: ["The state or province of the delivery address.", "New York"],
  province_code: ["The code of the state or province, such as NY.", "NY"],
  postal_code: ["The postal code of the delivery address.", "11201"],
  country: [
    "The country's name. One of country and country_code is needed where there is an address.",
    "United States",
  ],
  country_code: ["The country's ISO 3166-1 alpha-2 code.", "US"],
  address_phone: ["The recipient's phone number.", "+1 555 0000001"],
  delivery_instructions: ["What the courier should know, at most 10,000 bytes.", "Leave with a neighbour"],
  delivery_slot_id: ["The id of an active delivery slot of the account.", demoId("delivery_slot", 1)],
  status: ["ACTIVE, PAUSED, CANCELLED, EXPIRED or PAST_DUE; ACTIVE by default.", "ACTIVE"],
  paused_at: ["When a PAUSED subscription was paused; now by default.", "2029-11-02"],
  pause_until: ["The date on which a pause ends by itself.", "2030-03-01"],
  pause_reason: ["Why a PAUSED subscription was paused.", "On holiday"],
  billing_interval: [
    "The unit between two charges: DAY, WEEK, MONTH or YEAR. The plan's by default.",
    "MONTH",
  ],
  billing_interval_count: ["How many of these units; 1 by default.", "1"],
  delivery_interval: ["The unit between two deliveries. That of the charges by default.", "MONTH"],
  delivery_interval_count: ["How many of these units.", "1"],
  next_billing_date: [
    "The date of the next charge, charge_from or later. Needed unless the subscription is CANCELLED.",
    "2030-01-15",
  ],
  next_delivery_date: ["The date of the next delivery. The day of the charge by default.", "2030-01-15"],
  scheduled_delivery_date: [
    "The day that the schedule has for the next delivery, where next_delivery_date is another one: that delivery alone was moved. The others count on from the schedule.",
    "2030-01-13",
  ],
  no_charge_before: [
    "The date before which nothing is charged, where that is later than charge_from.",
    "2030-01-10",
  ],
  anchor_date: [
    "The date that the schedule counts from, such as a 31st. The next charge has to lie on that schedule. By default it counts from the next charge.",
    "2029-01-15",
  ],
  anchor_day: [
    "The day of the month that the schedule keeps, 29 to 31, where the month of anchor_date is too short for it. That of anchor_date by default.",
    "31",
  ],
  cycles_billed: ["How many cycles the other system has charged; 0 by default.", "7"],
  min_cycles: ["How many cycles the customer has agreed to.", "3"],
  max_cycles: ["After how many cycles the subscription ends.", "12"],
  ends_on: ["The date on which it ends by itself: nothing is charged from then on.", "2031-01-15"],
  ends_after_cycle: ["The last cycle that is charged, where it is to end with one.", "3"],
  prepaid_owed: ["How many deliveries are paid for and not made yet; 0 by default.", "0"],
  selling_plan_id: ["The id of an active selling plan of the account.", "plan-monthly"],
  selling_plan_name: [
    "The name of a selling plan of the account, in place of its id. Without either, the plan with the same intervals is taken.",
    "Every month",
  ],
  store_product_id: ["The product's id at the connected store. The variant's by default.", "product-1"],
  store_variant_id: ["The variant's id at the connected store. The product's by default.", "variant-1"],
  product_title: ["The product's name. The product's id by default.", "Beef and carrot, 1.5 kg"],
  variant_title: ["The variant's name.", "Large"],
  sku: ["The variant's SKU.", "BEEF-15"],
  quantity: ["How many are in each delivery; 1 by default.", "1"],
  price: [
    "The price of one, in major units of the account's currency. It is charged as it stands here, less a plan_discount_value beside it.",
    "39.95",
  ],
  price_changes: [
    "Later prices that the customer was promised, as JSON: in_cycles is how many further cycles are billed before a price holds.",
    '[{"in_cycles":3,"price":44.95}]',
  ],
  plan_discount_type: ["PERCENTAGE or FIXED_AMOUNT: what plan_discount_value is.", "PERCENTAGE"],
  plan_discount_value: [
    "The discount that the line keeps of its plan: percent, or major units of the currency off each piece. None by default.",
    "10",
  ],
  plan_shipping_amount: [
    "The price of shipping that the line keeps of its plan; the highest of all lines is charged. shipping_amount by default.",
    "4.9",
  ],
  is_one_time: ["Whether the line is in the next order only: true or false, the default.", "false"],
  selection_items: [
    "The contents of a box, as a JSON list of a line's selection_items.",
    '[{"slot_id":"slot-1","store_product_id":"product-1","store_variant_id":"variant-1","product_title":"Beef","quantity":2,"price":6.65}]',
  ],
  subscription_variant_id: ["The id of a variant that is sold on subscription only.", "box-1"],
  currency_code: ["The ISO 4217 code of the amounts: the account's, which it has to be.", "USD"],
  discount_type: ["PERCENTAGE or FIXED_AMOUNT: what discount_value is.", "PERCENTAGE"],
  discount_value: ["How much is taken off each order: percent, or major units of the currency.", "10"],
  discount_max_amount: [
    "The most that the discount takes off one charge, in major units of the currency; nothing bounds it by default.",
    "20",
  ],
  discount_cycles_left: ["For how many more cycles the discount holds; without end by default.", "3"],
  discounts: [
    "In place of these three columns all discounts with how far they have got, as exports write them: a JSON list. `lines` numbers the lines of one that is not for all, from 0.",
    '[{"title":"Welcome","value_type":"PERCENTAGE","value":10,"target_type":"ORDER","recurring_cycle_limit":3,"cycles_used":1}]',
  ],
  shipping_amount: ["The price of shipping for each charge; 0 by default.", "4.9"],
  created_at: ["When the subscription began in the other system: a date or a date-time.", "2029-01-15"],
  cancelled_at: ["When a CANCELLED subscription was cancelled.", "2029-06-01"],
  cancellation_reason: ["Why it was cancelled.", "Moved abroad"],
  disputed_at: [
    "Since when a disputed payment keeps it from being billed. It is not billed before a person resumes that.",
    "2029-12-01",
  ],
  store_origin_order_id: [
    "The id of the store's order by which the customer subscribed at its checkout.",
    "5001",
  ],
  last_payment_reminder_sent_at: ["When the customer was last reminded of a charge.", "2029-12-12T09:00:00Z"],
  last_payment_reminder_billing_date: ["The date of the charge that this reminder was about.", "2029-12-15"],
  note: ["A note of the merchant's, at most 10,000 bytes.", "Prefers mornings"],
  custom_attributes: ["An object as JSON, at most 16,000 bytes.", '{"quiz":"b"}'],
  entity_ref: [
    "What the other system calls that which the subscription is for. It becomes an entity, once for each customer and ref.",
    "pet-12",
  ],
  entity_type: ["The entity's type. Needed with entity_ref.", "pet"],
  entity_name: ["The entity's name. Needed with entity_ref.", "Biscuit"],
  entity_label: ["The entity's name when the subscription was made; entity_name by default.", "Biscuit"],
  expected_total: [
    "What the other system charges for the next cycle. The check compares it with what is charged here.",
    "39.95",
  ],
} as const satisfies Record<string, readonly [text: string, example: string]>;

export type ImportField = keyof typeof importFields;
export const importFieldNames = Object.keys(importFields) as ImportField[];

/** Whether a field is of a line alone; all others belong to the whole subscription, and have one value in all of its rows. */
export function isOfLine(field: string): boolean {
  return (fieldsOfLine as readonly string[]).includes(field);
}

const fieldsOfLine: readonly ImportField[] = [
  ...(["store_product_id", "store_variant_id", "product_title", "variant_title", "sku"] as const),
  ...(["quantity", "price", "price_changes", "selling_plan_id", "selling_plan_name"] as const),
  ...(["plan_discount_type", "plan_discount_value", "plan_shipping_amount"] as const),
  ...(["is_one_time", "selection_items", "subscription_variant_id"] as const),
];

/** The columns of a file of past orders. */
const orderFields = {
  order_ref: ["What the other system calls the order, at most 255 characters.", "order-99"],
  subscription_ref: [
    "The subscription that it was for, as an import of the same source has named it.",
    "sub-4711",
  ],
  ordered_at: ["When it was placed: a date or a date-time.", "2029-12-15"],
  total: ["What was charged, in major units of the account's currency.", "39.95"],
  status: ["PENDING, PAID, PARTIALLY_REFUNDED, REFUNDED or CANCELLED; PAID by default.", "PAID"],
  tracking: ["The number of the parcel.", "1Z999"],
} as const satisfies Record<string, readonly [text: string, example: string]>;

export type OrderField = keyof typeof orderFields;
export const orderFieldNames = Object.keys(orderFields) as OrderField[];

/** A row of a file as text by field, and what could not be read of it. */
export type ImportedLine = {
  fields: { [field in ImportField | OrderField]?: string };
  faults: { path: string; message: string }[];
};
