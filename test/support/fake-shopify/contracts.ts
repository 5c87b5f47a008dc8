import { minorOf } from "./amounts.ts";
import {
  cadenceErrors,
  deliveryErrors,
  discountErrors,
  lineErrors,
  noLines,
  paymentErrors,
  policyErrors,
} from "./contract-rules.ts";
import { globalId } from "./ids.ts";
import type { ContractInput } from "./inputs.ts";
import { discountOf, lineOf } from "./lines.ts";
import type { Contract, UserError } from "./records.ts";
import type { FakeStore } from "./store.ts";
import { contractPayload, emit } from "./webhooks.ts";

/** Creates a contract whose input is valid. */
export function makeContract(store: FakeStore, input: ContractInput): Contract {
  const { contract: terms, currencyCode: currency } = input;
  const number = store.nextNumber("SubscriptionContract");
  const entries = input.lines.map(({ line, discounts }) => ({
    line: lineOf(store, line, currency),
    discounts,
  }));
  const contract: Contract = {
    id: globalId("SubscriptionContract", number),
    number,
    revision: store.nextNumber("revision"),
    customer: store.customers.get(input.customerId)!,
    method: store.methods.get(terms.paymentMethodId ?? "") ?? null,
    status: terms.status ?? "ACTIVE",
    currency,
    lines: entries.map(({ line }) => line),
    discounts: entries.flatMap(({ line, discounts }) =>
      (discounts ?? []).map((discount) => discountOf(discount, [line.id], currency)),
    ),
    deliveryPrice: minorOf(terms.deliveryPrice ?? 0, currency),
    deliveryMethod: terms.deliveryMethod ?? null,
    billingPolicy: terms.billingPolicy!,
    deliveryPolicy: terms.deliveryPolicy!,
    customAttributes: terms.customAttributes ?? [],
    note: terms.note ?? null,
    nextBillingDate: input.nextBillingDate,
    originOrder: null,
    cycleEdits: new Map(),
    createdAt: store.now(),
    updatedAt: store.now(),
    lastPaymentStatus: null,
  };
  store.contracts.set(contract.id, contract);
  return contract;
}

/** subscriptionContractAtomicCreate: each call creates a contract, because there is no idempotency key. */
export function createContract(
  store: FakeStore,
  input: ContractInput,
): { contract: Contract | null; userErrors: UserError[] } {
  if (input.discountCodes.length > 0) throw new Error("The fake store has no discount codes");
  const userErrors = contractErrors(store, input);
  if (userErrors.length > 0) return { contract: null, userErrors };
  const contract = makeContract(store, input);
  emit(store, "subscription_contracts/create", contractPayload(contract));
  return { contract, userErrors: [] };
}

function blank(field: string, message: string): UserError {
  return {
    code: "BLANK",
    field: ["input", "contract", field],
    message,
  };
}

function linesErrors(store: FakeStore, lines: ContractInput["lines"]): UserError[] {
  return lines.length === 0
    ? [noLines(["input", "lines"])]
    : lines.flatMap(({ line, discounts }, index) => [
        ...lineErrors(store, line, ["input", "lines", index, "line"]),
        ...(discounts ?? []).flatMap((discount, nth) =>
          discountErrors(discount, ["input", "lines", index, "discounts", nth]),
        ),
      ]);
}

function policiesErrors({ billingPolicy, deliveryPolicy }: ContractInput["contract"]): UserError[] {
  if (!billingPolicy) return [blank("billingPolicy", "Billing policy can't be blank")];
  if (!deliveryPolicy) return [blank("deliveryPolicy", "Delivery policy can't be blank")];
  const each = [
    ...policyErrors(billingPolicy, ["input", "contract", "billingPolicy"]),
    ...policyErrors(deliveryPolicy, ["input", "contract", "deliveryPolicy"]),
  ];
  return each.length > 0 ? each : cadenceErrors({ billingPolicy, deliveryPolicy }, ["input", "contract"]);
}

/** Why Shopify would refuse this contract. */
function contractErrors(store: FakeStore, input: ContractInput): UserError[] {
  const { customerId, currencyCode, contract, lines } = input;
  if (!store.customers.has(customerId)) {
    const message = "Customer does not exist";
    return [{ code: "CUSTOMER_DOES_NOT_EXIST", field: ["input", "customerId"], message }];
  }
  const { currency, currencies } = store.settings;
  const variants = lines.map(({ line }) => line.productVariantId);
  const ships = variants.some((variant) => !store.digital.has(variant));
  const method = contract.deliveryMethod ?? null;
  const errors = [
    ...linesErrors(store, lines),
    ...policiesErrors(contract),
    ...(contract.paymentMethodId
      ? paymentErrors(store, contract.paymentMethodId, customerId, ["input", "contract", "paymentMethodId"])
      : []),
    ...deliveryErrors(store, { variants, method }, ["input", "contract", "deliveryMethod"]),
  ];
  if (![currency, ...currencies].includes(currencyCode))
    errors.unshift({
      code: "CURRENCY_NOT_ENABLED",
      field: ["input", "currencyCode"],
      message: "Currency is not enabled",
    });
  if (ships && contract.deliveryPrice == null)
    errors.push(blank("deliveryPrice", "Delivery price can't be blank"));
  return errors;
}
