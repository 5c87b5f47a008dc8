import type { PortalPermission } from "../../../base/accounts/portal-settings.ts";
import type { Fields } from "../../pages/fields.ts";
import type { ShownSubscription } from "./summary.ts";
import type { Texts } from "./texts/index.ts";
import type { OperationId, SignedIn } from "./visit.ts";

export type ActionName = keyof Texts["actions"];

/** Something that a customer can do with a subscription: the operation behind it, and its form's fields. */
type Action = {
  operation: OperationId;
  permission?: PortalPermission;
  /** Whether it changes the next delivery, which is possible before its cut-off only. */
  changesDelivery?: true;
  isPossible: (subscription: ShownSubscription) => boolean;
  /** The names of the form's fields. */
  fields: string[];
  /** Those of them, and of the page's own parameters, that a link to the page names. */
  linked?: string[];
  bodyOf: (fields: Fields) => object;
};

/** The fields of an address. The name of the country is its code's. */
export const addressFields = [
  ...["first_name", "last_name", "company", "address1", "address2"],
  ...["zip", "city", "province", "country", "country_code"],
];

export function isActionName(text: string): text is ActionName {
  return Object.hasOwn(actions, text);
}

/** Whether a page offers an action. The API refuses an action that is offered in error. */
export function isOffered(
  { settings }: SignedIn,
  name: ActionName,
  subscription: ShownSubscription,
): boolean {
  const { permission, isPossible } = actions[name];
  const isAllowed = permission === undefined || settings[permission];
  return isAllowed && isPossible(subscription) && !isTooLate(name, subscription);
}

/** Whether the cut-off of the next delivery, which an action would change, has passed. */
export function isTooLate(
  name: ActionName,
  { can_change_next_delivery, next_delivery_cutoff_at }: ShownSubscription,
): boolean {
  const isClosed = next_delivery_cutoff_at !== null && !can_change_next_delivery;
  return isClosed && actions[name].changesDelivery === true;
}

/** Whether an action's form has anything to fill in; without, its page shows at once what it would do. */
export function hasForm(name: ActionName): boolean {
  const { fields, linked = [] } = actions[name];
  return fields.some((field) => !linked.includes(field));
}

/** The parameters of the operation's path. */
export function pathOf({ id, fields }: { id: string; fields: Fields }): Record<string, string> {
  const { line } = fields;
  return line === undefined ? { id } : { id, lineId: line };
}

export function isOpen({ status }: Pick<ShownSubscription, "status">) {
  return ["ACTIVE", "PAUSED", "PAYMENT_FAILED"].includes(status);
}

function isActive({ status }: ShownSubscription) {
  return status === "ACTIVE";
}

function nothing() {
  return {};
}

function startDate({ next_delivery_date }: Fields) {
  return next_delivery_date === undefined ? {} : { next_delivery_date };
}

/** The actions in the order of the page. */
export const actions: Record<ActionName, Action> = {
  "retry-payment": {
    operation: "retryPayment",
    isPossible: ({ can_retry_payment }) => can_retry_payment,
    fields: [],
    bodyOf: nothing,
  },
  skip: {
    operation: "skipDeliveries",
    permission: "can_skip",
    changesDelivery: true,
    isPossible: isActive,
    fields: ["count", "skip_reason_id", "reason"],
    bodyOf: ({ count, ...rest }) => ({ ...rest, count: Number(count) }),
  },
  unskip: {
    operation: "unskipSubscription",
    permission: "can_skip",
    changesDelivery: true,
    isPossible: isActive,
    fields: [],
    bodyOf: nothing,
  },
  schedule: {
    operation: "reschedule",
    permission: "can_reschedule",
    changesDelivery: true,
    isPossible: (subscription) => isOpen(subscription) && subscription.next_delivery_date !== null,
    fields: ["next_delivery_date", "delivery_slot_id", "scope"],
    bodyOf: (fields) => fields,
  },
  "ship-now": {
    operation: "shipNow",
    permission: "can_ship_now",
    isPossible: (subscription) => isActive(subscription) && !subscription.is_in_dunning,
    fields: [],
    bodyOf: nothing,
  },
  frequency: {
    operation: "changeFrequency",
    permission: "can_change_frequency",
    isPossible: isOpen,
    fields: ["frequency"],
    bodyOf: ({ frequency = "" }) => {
      const [interval, count] = frequency.split("-");
      return { interval, interval_count: Number(count) };
    },
  },
  address: {
    operation: "changeDeliveryAddress",
    permission: "can_change_address",
    changesDelivery: true,
    isPossible: isOpen,
    fields: ["delivery_address_id", "phone", ...addressFields],
    bodyOf: ({ delivery_address_id: saved, ...typed }) =>
      saved === undefined || saved === "other" ? typed : { delivery_address_id: saved },
  },
  instructions: {
    operation: "changeDeliveryInstructions",
    changesDelivery: true,
    isPossible: isOpen,
    fields: ["delivery_instructions"],
    bodyOf: ({ delivery_instructions = "" }) => ({ delivery_instructions }),
  },
  "payment-method": {
    operation: "changePaymentMethod",
    permission: "can_change_payment_method",
    isPossible: isOpen,
    fields: ["payment_method_id", "update_all"],
    bodyOf: ({ payment_method_id = "", update_all }) => ({
      payment_method_id,
      ...(update_all === undefined ? {} : { update_all: true }),
    }),
  },
  "payment-link": {
    operation: "requestPaymentUpdate",
    permission: "can_change_payment_method",
    isPossible: isOpen,
    fields: [],
    bodyOf: nothing,
  },
  quantity: {
    operation: "changeOwnLine",
    permission: "can_change_quantity",
    changesDelivery: true,
    isPossible: isOpen,
    fields: ["line", "quantity"],
    linked: ["line"],
    bodyOf: ({ quantity }) => ({ quantity: Number(quantity) }),
  },
  swap: {
    operation: "changeOwnLine",
    permission: "can_swap",
    changesDelivery: true,
    isPossible: isOpen,
    fields: ["line", "store_variant_id"],
    linked: ["line", "q", "page"],
    bodyOf: ({ store_variant_id }) => ({ store_variant_id }),
  },
  add: {
    operation: "addOwnLine",
    permission: "can_add",
    changesDelivery: true,
    isPossible: isOpen,
    fields: ["store_variant_id", "quantity", "is_one_time"],
    linked: ["q", "page"],
    bodyOf: ({ store_variant_id, quantity, is_one_time }) => ({
      store_variant_id,
      ...(quantity === undefined ? {} : { quantity: Number(quantity) }),
      ...(is_one_time === undefined ? {} : { is_one_time: true }),
    }),
  },
  remove: {
    operation: "removeOwnLine",
    permission: "can_remove",
    changesDelivery: true,
    isPossible: isOpen,
    fields: ["line"],
    linked: ["line"],
    bodyOf: nothing,
  },
  pause: {
    operation: "pauseSubscription",
    permission: "can_pause",
    isPossible: ({ can_pause }) => can_pause,
    fields: ["pause_until", "pause_reason_id"],
    bodyOf: (fields) => fields,
  },
  resume: {
    operation: "resumeSubscription",
    isPossible: ({ can_resume }) => can_resume,
    fields: ["next_delivery_date"],
    bodyOf: startDate,
  },
  reactivate: {
    operation: "reactivateSubscription",
    isPossible: ({ can_reactivate }) => can_reactivate,
    fields: ["next_delivery_date"],
    bodyOf: startDate,
  },
  cancel: {
    operation: "cancelSubscription",
    permission: "can_cancel",
    isPossible: ({ can_cancel }) => can_cancel,
    fields: ["cancellation_reason_id", "reason"],
    bodyOf: (fields) => fields,
  },
};
