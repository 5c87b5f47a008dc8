import type { StaffRole } from "../../base/accounts/roles.ts";
import type { Account } from "../../base/accounts/tables.ts";

type Bounds = { role: StaffRole | undefined; account: Pick<Account, "support_max_refund"> };

/** The most that a role may have paid back of an order, all of its refunds in sum, in minor units; undefined for a role without a bound. */
export function refundBound({ role, account }: Bounds): number | undefined {
  return role === "SUPPORT" ? (account.support_max_refund ?? 0) : undefined;
}
