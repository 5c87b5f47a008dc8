import type { Answer } from "./client.ts";

/** A rule about more than one field, or about more than the request, which no schema can state. */
type Rule = { name: string; path: RegExp; message: RegExp; reason: string };

/**
 * The only faults for which a request that the document allows may be refused with VALIDATION_FAILED.
 */
export const crossFieldRules: Rule[] = [
  {
    name: "decimals of the currency",
    path: /(price|amount|value)$/,
    message:
      /^must be (an amount of [A-Z]{3}, (with at most \d|without) decimals|at most 100000000 [A-Z]{3})$/,
    reason:
      "The account's currency decides how many decimals an amount has, and with four of them how large it is.",
  },
  {
    name: "left of an order",
    path: /^amount$/,
    message: /^must be at most \d+(\.\d+)? [A-Z]{3}, which is left of the order$/,
    reason: "The order and its earlier refunds decide how much can still be paid back.",
  },
  {
    name: "entry of the history",
    path: /^entry_id$/,
    message: /^must be an entry of this subscription's history$/,
    reason: "The history decides which entries there are.",
  },
  {
    name: "percentage",
    path: /value$/,
    message: /^must be a percentage from 0 to 100/,
    reason:
      "It has at most two decimals, which validators count differently, and a change may leave out whether it is one.",
  },
  {
    name: "largest order",
    path: /^lines$/,
    message:
      /^(add up to more than an order can be|are more than a subscription can hold|must be at most 100)$/,
    reason: "It is the sum of all lines, those that the subscription has included.",
  },
  {
    name: "clock",
    path: /^(next_delivery_date|delivery_date|production_date|pause_until|charge_from)$/,
    message: /^must (not be in the past|be from \d{4}-\d\d-\d\d on)$/,
    reason: "The account's own time decides what is past.",
  },
  {
    name: "the slot of one delivery moved alone",
    path: /^delivery_slot_id$/,
    message: /^must be absent, or the subscription's own, with scope this$/,
    reason: "The subscription decides which slot it has.",
  },
  {
    name: "one delivery moved alone",
    path: /^next_delivery_date$/,
    message:
      /^must (be before \d{4}-\d\d-\d\d, the day of the delivery after it|leave the delivery after it on its days)$/,
    reason: "The schedule, the slot and closed days decide when the delivery after it comes.",
  },
  {
    name: "columns of an import",
    path: /^mapping$/,
    message: /^names one column for two fields$/,
    reason: "A column has one meaning.",
  },
  {
    name: "limits of closed days",
    path: /^to$/,
    message: /^(must not be before from|closes more than 60 days in a row|lists \d+ closed days; .*)$/,
    reason: "They are about the span from one field to another, and about the account's other closed days.",
  },
  {
    name: "closed days",
    path: /^(next_delivery_date|delivery_date|production_date|delivery_slot_id)$/,
    message: /^is a closed day /,
    reason: "The account's closed days decide on which days deliveries are made.",
  },
  {
    name: "test clock",
    path: /^advance_to$/,
    message: /^must (not be before the account's time|be at most 400 days ahead)$/,
    reason: "A test clock moves forward from where it is, at most 400 days a call.",
  },
  {
    name: "days of a forecast or an insight",
    path: /^to$/,
    message: /^must (not be before from|be \d{4}-\d\d-\d\d or earlier: at most \d+ days)$/,
    reason: "The first day decides which may be the last.",
  },
  {
    name: "recovery",
    path: /^since$/,
    message: /^must (be at most 30 days ago|not be in the future)$/,
    reason: "The account's own time decides how far back a recovery reaches.",
  },
  {
    name: "input of a bulk job",
    path: /^(input(\.|$)|filter\.)/,
    message: /./,
    reason: "The action decides which input it takes; the filter takes what the query of the list takes.",
  },
  {
    name: "preview of a bulk job",
    path: /^(preview_job_id|If-Preview)$/,
    message: /^(is required with If-Preview|must be the dry run of a job of many)$/,
    reason: "A preview is a header and a field, and the account decides which job is a dry run.",
  },
  {
    name: "list of a bulk job",
    path: /^ids\.\d+$/,
    message: /^is named twice$/,
    reason: "Each subscription stands on the list of a job once.",
  },
  {
    name: "listed return addresses",
    path: /^return_url$/,
    message: /^must begin with one of the settings' return_urls$/,
    reason: "The account's settings list where a link may lead back to.",
  },
  {
    name: "longest pause",
    path: /^pause_until$/,
    message: /^must be a day at most \d+ days from today$/,
    reason: "The account's settings bound how long a customer may pause.",
  },
  {
    name: "ten years",
    path: /(date|_until|_on|^charge_from|^from|^to|^skip_weeks|^count)$/,
    message: /^must be \d{4}-\d\d-\d\d or earlier: no date lies more than 10 years ahead$/,
    reason: "Today moves, and weeks or intervals are added to a date that the subscription has.",
  },
  {
    name: "order of dates",
    path: /^(start_date|end_time|production_date)$/,
    message: /^must (not be after (end_date|the delivery date)|be after start_time)$/,
    reason: "Two fields of the request are compared.",
  },
  {
    name: "day of the slot",
    path: /^(next_delivery_date|delivery_date|delivery_slot_id|slot_id)$/,
    message: /^must be on the delivery slot's day of the week$/,
    reason: "A delivery slot belongs to a day of the week.",
  },
  {
    name: "cursor",
    path: /^cursor$/,
    message: /^must be that of an answer to the same query$/,
    reason: "A cursor belongs to an account, a list and a query, and a list is in an order.",
  },
  {
    name: "page or cursor",
    path: /^page$/,
    message: /^(must not be sent with a cursor|is too far from the ends of the list)/,
    reason: "Only one of them says where a page begins, and only rows tell how far a page is.",
  },
  {
    name: "size in bytes",
    path: /(^|\.)(attributes|metadata|custom_attributes|note|delivery_instructions)$/,
    message: /^must have at most \d+ bytes (as JSON|in UTF-8)$/,
    reason: "No schema counts the bytes of an object or a text.",
  },
  {
    name: "interval",
    path: /(interval(_count)?|at_least)$/,
    message: /^must be (at most \d+ for [A-Z]+|a whole multiple of the delivery interval)$/,
    reason:
      "A change may name one of unit and count alone, and the delivery interval decides which billing intervals fit.",
  },
  {
    name: "discount with its type",
    path: /^discount_value$/,
    message: /^must be set together with discount_type$/,
    reason: "Both say together what the discount is, and a change may name one of them alone.",
  },
  {
    name: "country of its code",
    path: /(^|\.)country$/,
    message: /^must be the country of country_code [A-Z]{2}, .+, or absent$/,
    reason: "A country's name is compared with its code.",
  },
  {
    name: "country of an address",
    path: /^country_code$/,
    message: /^is required, because no country is known by this name$/,
    reason: "A change of an address may name a country without its code only if one is known by that name.",
  },
  {
    name: "cycles",
    path: /^min_cycles$/,
    message: /^must not be above max_cycles$/,
    reason: "Two fields are compared, and a change may name one of them alone.",
  },
  {
    name: "provider of mails",
    path: /^(provider|from_address|is_enabled|credentials\.\w+)$/,
    message:
      /^(is required to send by \w+|must be (absent: \w+ has no such credential|a public host name: .+|465, 587 or 2525|false without a provider|a provider that sends mails: .+))$/,
    reason: "The provider, which a change may leave as it is, decides what it needs; so does the deployment.",
  },
  {
    name: "fields of a format",
    path: /^fields\.\d+$/,
    message: /^is not a field of (jsonl|csv)/,
    reason: "The format decides which fields there are.",
  },
  {
    name: "every reason once",
    path: /^ordered_ids$/,
    message: /^must name every reason exactly once$/,
    reason: "The order is of the reasons that the account has.",
  },
  {
    name: "one row for each e-mail address",
    path: /^profiles\.\d+\.email$/,
    message: /^is in the upload more than once$/,
    reason: "Rows are compared with each other, in any case of the letters.",
  },
  {
    name: "each variant once",
    path: /^items\.\d+\.store_variant_id$/,
    message: /^is in the catalogue more than once$/,
    reason: "Items are compared with each other, an id in either of its forms.",
  },
  {
    name: "each offer once",
    path: /^offers\.\d+\.id$/,
    message: /^is the id of two offers$/,
    reason: "Offers are compared with each other.",
  },
  {
    name: "an offer of the case, and its choice",
    path: /^(offer_id|choice)$/,
    message:
      /^(must be (the id of an offer of the case|one of the offer's options|absent: an offer of kind \w+ has nothing to choose)|is required: the offer has several options)$/,
    reason: "The case decides what can be accepted, and the offer's kind what there is to choose.",
  },
  {
    name: "the shop's bound of a quantity",
    path: /^quantity$/,
    message: /^must be at most \d+$/,
    reason: "The merchant's max_quantity decides.",
  },
  {
    name: "ascending days",
    path: /^dunning_retry_days$/,
    message: /^must ascend$/,
    reason: "Each day is compared with the one before.",
  },
  {
    name: "the subscription's own entity",
    path: /^entity_id$/,
    message: /^must be the subscription's own entity$/,
    reason: "A line is for whom its subscription is for.",
  },
];

/** Whether a refusal is for the state, a reference or a rule above, never for the form of the request. */
export function isStatedRefusal({
  status,
  body,
}: Answer<{ error?: string; errorCode?: string; details?: Fault[] }>): boolean {
  if (status === 404 || status === 409) return true;
  // The credential is in the body: its form is no proof.
  if (body?.error === "The session token is not valid") return true;
  const { errorCode = "", details = [] } = body ?? {};
  if (/^UNKNOWN_/.test(errorCode) || settled.includes(errorCode)) return true;
  return errorCode === "VALIDATION_FAILED" && details.length > 0 && details.every(isCrossField);
}

/** Codes of their own for what the account's records and the hour decide. */
const settled = ["SKIP_REASON_REQUIRED", "FREQUENCY_NOT_OFFERED", "ITEM_NOT_OFFERED", "RATE_LIMITED"];

type Fault = { path: string; message: string };

function isCrossField(fault: Fault): boolean {
  return crossFieldRules.some(({ path, message }) => path.test(fault.path) && message.test(fault.message));
}
