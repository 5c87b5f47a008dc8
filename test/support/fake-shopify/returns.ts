import { globalId } from "./ids.ts";
import type { Order, Return } from "./records.ts";
import type { FakeStore } from "./store.ts";
import { emit } from "./webhooks.ts";

/**
 * GraphQL's `Order.returnStatus`, which shows one of several returns, "prioritized" (schema `OrderReturnStatus`). Which one comes first is
 * a guess: what is going on before what is over.
 */
export function returnStatusOf({ returns }: Order): string {
  const shown = shownFirst.find(([status]) => returns.some((one) => one.status === status));
  return shown?.[1] ?? "NO_RETURN";
}

const shownFirst: [Return["status"], string][] = [
  ["OPEN", "IN_PROGRESS"],
  ["REQUESTED", "RETURN_REQUESTED"],
  ["CLOSED", "RETURNED"],
];

type Step = "request" | "approve" | "decline" | "cancel" | "close" | "reopen";

/** Begins a return of an order, which is `request`ed or, by the merchant, `approve`d at once; or takes its newest one a step further. */
export function takeReturn(store: FakeStore, order: Order, step: Step): void {
  const begins = step === "request" || (step === "approve" && order.returns.at(-1)?.status !== "REQUESTED");
  if (begins) order.returns.push(newReturn(store));
  const one = order.returns.at(-1);
  if (!one) throw new Error(`${order.id} has no return`);
  one.status = statusAfter[step];
  emit(store, `returns/${step}`, returnPayload(order, one, step));
}

const statusAfter: Record<Step, Return["status"]> = {
  request: "REQUESTED",
  approve: "OPEN",
  decline: "DECLINED",
  cancel: "CANCELED",
  close: "CLOSED",
  reopen: "OPEN",
};

function newReturn(store: FakeStore): Return {
  const number = store.nextNumber("Return");
  return { id: globalId("Return", number), number, status: "REQUESTED" };
}

/** The payloads of api/webhooks: some topics name the order with its global id, others by its number alone. */
function returnPayload(order: Order, { id, number, status }: Return, step: Step): Record<string, unknown> {
  const payload = { id: number, admin_graphql_api_id: id, status: status.toLowerCase() };
  if (step === "cancel" || step === "close" || step === "reopen")
    return { ...payload, order_id: order.number };
  return { ...payload, order: { id: order.number, admin_graphql_api_id: order.id } };
}
