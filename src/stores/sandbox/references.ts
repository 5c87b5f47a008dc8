import type { SandboxCharge } from "./tables.ts";

/** The sandbox store's own id of a charge. */
export function chargeReference({ charge_number }: Pick<SandboxCharge, "charge_number">): string {
  return `${prefix}${charge_number}`;
}

/** The number of the charge that a reference names; undefined for any other text. */
export function chargeNumberIn(reference: string): number | undefined {
  const [, number] = new RegExp(`^${prefix}(\\d+)$`).exec(reference) ?? [];
  return number === undefined ? undefined : Number(number);
}

const prefix = "sandbox-charge-";
