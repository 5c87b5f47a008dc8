import { finalStateOf } from "../accounts/final-state.ts";
import type { Part } from "../kernel/world.ts";
import { checkOrders } from "./check-orders.ts";
import { checkPlaces } from "./check-places.ts";
import { checkPrices } from "./check-prices.ts";
import { checkStock } from "./check-stock.ts";
import { packing } from "./watch-orders.ts";

/** Orders have what was bought, for what was agreed. */
export const orders: Part = {
  ...packing,
  dueAt: ["SELECT MIN(next_action_at) FROM order_refunds WHERE account_seq = ?1"],
  async checkAccount(world) {
    const state = await finalStateOf(world);
    checkOrders(world, state);
    checkPlaces(world, state);
    checkPrices(world, state);
    checkStock(world, state);
  },
};
