import { itemOf } from "../../../support/shops.ts";
import { requestStep } from "./steps.ts";
import { isOver } from "./subscription.ts";

export function addLine(price: number, quantity: number) {
  return requestStep(
    `add line ${price} x ${quantity}`,
    (_, { account }) => ({
      method: "POST",
      part: "lines",
      body: itemOf(account.plan, { price: price / 100, quantity }),
    }),
    (m) => {
      if (isOver(m)) return "refused";
      m.lines.push({ price, quantity });
      return "changed";
    },
  );
}

export function changeLine(nthLine: number, quantity: number) {
  return requestStep(
    `change line ${nthLine} to ${quantity}`,
    (m, { response }) => ({
      method: "PUT",
      part: `lines/${response.lines[nthLine % m.lines.length].id}`,
      body: { quantity },
    }),
    (m) => {
      const line = m.lines[nthLine % m.lines.length]!;
      if (isOver(m)) return "refused";
      if (line.quantity === quantity) return "unchanged";
      line.quantity = quantity;
      return "changed";
    },
  );
}

export function removeLine(nthLine: number) {
  return requestStep(
    `remove line ${nthLine}`,
    (m, { response }) => ({ method: "DELETE", part: `lines/${response.lines[nthLine % m.lines.length].id}` }),
    (m) => {
      if (isOver(m) || m.lines.length === 1) return "refused";
      m.lines.splice(nthLine % m.lines.length, 1);
      return "changed";
    },
  );
}

export function addDiscount(value_type: "PERCENTAGE" | "FIXED_AMOUNT", value: number) {
  return requestStep(
    `discount ${value_type} ${value}`,
    () => ({
      method: "POST",
      part: "discounts",
      body: {
        title: "Thanks",
        value_type,
        target_type: "ORDER",
        value: value_type === "PERCENTAGE" ? value : value / 100,
      },
    }),
    (m) => {
      if (isOver(m)) return "refused";
      m.discounts.push({ type: value_type, value, isActive: true });
      return "changed";
    },
  );
}

export function removeDiscount(n: number) {
  return requestStep(
    `remove discount ${n}`,
    (m, { response }) => ({
      method: "DELETE",
      part: `discounts/${response.discounts[n % m.discounts.length].id}`,
    }),
    (m) => {
      const found = m.discounts[n % m.discounts.length]!;
      if (isOver(m)) return "refused";
      if (!found.isActive) return "unchanged";
      found.isActive = false;
      return "changed";
    },
    ({ discounts }) => discounts.length > 0,
  );
}
