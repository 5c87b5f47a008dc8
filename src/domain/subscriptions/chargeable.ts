import { invalid } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import type { Subscription } from "./tables.ts";

type Total = Pick<Subscription, "total" | "currency_code">;

/** Throws VALIDATION_FAILED for a total that the connected store charges nobody, as one below its minimum. */
export function requireChargeableTotal({ store }: Pick<Ctx, "store">, { total, currency_code }: Total): void {
  const why = store.whyNotChargeable?.(total, currency_code);
  if (why) throw invalid([{ path: "total", message: why.message }]);
}

/** As requireChargeableTotal, for a change: a total that could not be charged before either may change, to be mended in steps. */
export function requireStaysChargeable({ store }: Pick<Ctx, "store">, before: Total, total: number): void {
  if (store.whyNotChargeable?.(before.total, before.currency_code)) return;
  requireChargeableTotal({ store }, { total, currency_code: before.currency_code });
}
