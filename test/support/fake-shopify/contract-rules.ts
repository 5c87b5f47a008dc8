import { provinceNames } from "../../../src/base/lib/places/province-names.ts";
import { completeProvince, readProvinces } from "../../../src/base/lib/places/provinces.ts";
import { isUnknown } from "./catalog.ts";
import type { DeliveryMethodInput, DiscountInput, LineChange } from "./inputs.ts";
import type { Policy, UserError } from "./records.ts";
import type { FakeStore } from "./store.ts";

const provinces = await readProvinces();

type Path = (string | number)[];

export function noLines(at: Path): UserError {
  return error("INVALID_LINES", at, "Must have at least one line");
}

/** Errors of a new or changed line. */
export function lineErrors(store: FakeStore, change: LineChange, at: Path): UserError[] {
  const { productVariantId: variant, quantity, currentPrice, sellingPlanId: plan } = change;
  const errors: UserError[] = [];
  if (variant != null && isUnknown(store, variant))
    errors.push(error("INVALID", [...at, "productVariantId"], "Product variant is invalid"));
  if (plan != null && !isPlanOfApp(store, plan))
    errors.push(error("INVALID", [...at, "sellingPlanId"], "Selling plan is invalid"));
  if (quantity != null && quantity <= 0)
    errors.push(error("GREATER_THAN", [...at, "quantity"], "Quantity must be greater than 0"));
  if (currentPrice != null && Number(currentPrice) < 0)
    errors.push(
      error(
        "GREATER_THAN_OR_EQUAL_TO",
        [...at, "currentPrice"],
        "Current price must be greater than or equal to 0",
      ),
    );
  return errors;
}

export function discountErrors({ value }: DiscountInput, at: Path): UserError[] {
  const percentage = value?.percentage ?? null;
  const amount = value?.fixedAmount?.amount ?? null;
  if ((percentage === null) === (amount === null))
    return [
      error(
        "INVALID_ADJUSTMENT_VALUE",
        [...at, "value"],
        "Value must be either a fixed amount or a percentage",
      ),
    ];
  if (percentage !== null && (percentage < 0 || percentage > 100))
    return [error("NOT_IN_RANGE", [...at, "value", "percentage"], "Percentage must be between 0 and 100")];
  if (amount !== null && amount < 0)
    return [
      error("GREATER_THAN_OR_EQUAL_TO", [...at, "value", "fixedAmount"], "Amount must not be negative"),
    ];
  return [];
}

/** Errors of one policy, for billing or for delivery. */
export function policyErrors({ intervalCount, minCycles, maxCycles }: Policy, at: Path): UserError[] {
  if (intervalCount < 1)
    return [error("GREATER_THAN", [...at, "intervalCount"], "Interval count must be greater than 0")];
  return minCycles && maxCycles && maxCycles < minCycles
    ? [
        error(
          "SELLING_PLAN_MAX_CYCLES_MUST_BE_GREATER_THAN_MIN_CYCLES",
          [...at, "maxCycles"],
          "Max cycles must be greater than min cycles",
        ),
      ]
    : [];
}

export function cadenceErrors(
  { billingPolicy, deliveryPolicy }: { billingPolicy: Policy; deliveryPolicy: Policy },
  at: Path,
): UserError[] {
  const [billingUnit, billing] = lengthOf(billingPolicy);
  const [deliveryUnit, delivery] = lengthOf(deliveryPolicy);
  return billingUnit === deliveryUnit && billing % delivery === 0
    ? []
    : [
        error(
          "DELIVERY_MUST_BE_MULTIPLE_OF_BILLING",
          [...at, "deliveryPolicy"],
          "Delivery interval must be a multiple of the billing interval",
        ),
      ];
}

export function paymentErrors(
  store: FakeStore,
  methodId: string | null | undefined,
  customerId: string,
  at: Path,
): UserError[] {
  if (!methodId) return [error("MISSING_CUSTOMER_PAYMENT_METHOD", at, "Customer payment method is required")];
  const method = store.methods.get(methodId);
  if (!method || method.revokedAt) return [error("INVALID", at, "Customer payment method is invalid")];
  return method.customer.id === customerId
    ? []
    : [
        error(
          "CUSTOMER_MISMATCH",
          at,
          "The payment method customer must be the same as the contract customer",
        ),
      ];
}

/** Where a country's addresses are divided by provinces, one of them has to be named by its code. */
function addressErrors(method: DeliveryMethodInput | null, at: Path): UserError[] {
  const { countryCode, provinceCode } = (method?.localDelivery ?? method?.shipping)?.address ?? {};
  if (!countryCode || !(countryCode in provinceNames)) return [];
  const found = completeProvince(provinces, { country_code: countryCode, province_code: provinceCode });
  return found && found.province_code === provinceCode
    ? []
    : [error("INVALID", at, "Delivery address province is invalid")];
}

export function deliveryErrors(
  store: FakeStore,
  { variants, method }: { variants: string[]; method: DeliveryMethodInput | null },
  at: Path,
): UserError[] {
  if (!method && variants.some((variant) => !store.digital.has(variant)))
    return [
      error(
        "DELIVERY_METHOD_REQUIRED",
        at,
        "The delivery method can't be blank if any lines require shipping",
      ),
    ];
  return method?.localDelivery && !method.localDelivery.localDeliveryOption
    ? [error("MISSING_LOCAL_DELIVERY_OPTIONS", at, "The local delivery options must be set")]
    : addressErrors(method, at);
}

function error(code: string, field: Path, message: string): UserError {
  return {
    code,
    field: field.map(String),
    message,
  };
}

/** Whether our app has such a plan; those of other apps are as unknown as any. */
function isPlanOfApp({ planGroups }: FakeStore, id: string): boolean {
  return [...planGroups.values()].some(({ isOurs, plans }) => isOurs && plans.some((plan) => plan.id === id));
}

/** Days for days and weeks, months for months and years: days cannot be compared with months. */
function lengthOf({ interval, intervalCount }: Policy): [unit: string, length: number] {
  const [unit, factor] = { DAY: ["day", 1], WEEK: ["day", 7], MONTH: ["month", 1], YEAR: ["month", 12] }[
    interval
  ] as [string, number];
  return [unit, factor * intervalCount];
}
