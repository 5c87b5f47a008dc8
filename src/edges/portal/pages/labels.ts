import type { Texts } from "./texts/index.ts";

/** The label of each field of a form, in the customer's language. */
export function labelsOf(texts: Texts): Record<string, string> {
  return {
    quantity: texts.quantity,
    count: texts.skipWhat,
    skip_reason_id: texts.reason,
    next_delivery_date: texts.newDate,
    delivery_slot_id: texts.slot,
    frequency: texts.frequency,
    delivery_address_id: texts.savedAddresses,
    delivery_instructions: texts.instructions,
    payment_method_id: texts.payment,
    pause_until: texts.untilDate,
    pause_reason_id: texts.reason,
    cancellation_reason_id: texts.reason,
    reason: texts.comment,
    email: texts.email,
    name: texts.declaring.name,
    number: texts.declaring.number,
    date: texts.declaring.date,
    phone: texts.phone,
    phone_number: texts.phone,
    first_name: texts.firstName,
    last_name: texts.lastName,
    company: texts.company,
    address1: texts.street,
    address2: texts.street2,
    zip: texts.zip,
    city: texts.city,
    province: texts.province,
    country: texts.country,
    country_code: texts.country,
  };
}
