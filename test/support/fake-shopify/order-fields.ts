import { checkedId } from "./ids.ts";
import { orderNode } from "./nodes.ts";
import type { FakeStore } from "./store.ts";

export function orderFields(store: FakeStore) {
  return {
    order: ({ id }: { id: string }) => {
      const order = store.orders.find((one) => one.id === checkedId("Order", id));
      return order && !order.isDeleted ? orderNode(store, order) : null;
    },
  };
}
