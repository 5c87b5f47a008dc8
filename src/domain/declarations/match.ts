import type { Statement } from "../../base/db/port.ts";
import { raw, rows } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import type { Declaration } from "./tables.ts";

/** The letters and digits of a number, as they are compared: `#1001`, `1001` and ` # 1001` are one. */
export function foldNumber(number: string | null): string {
  return (number ?? "").toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** The one subscription that a declaration is about, its customer, and whether that customer can be written to. */
export type Match = { subscription_id: string; profile_id: string; isReached: boolean };

/**
 * Finds the living subscription that a declaration is about: by its e-mail address and the number of the subscription or of one of its orders; by
 * the address alone where it has exactly one. Undefined where none or several fit. Nobody has cancelled what they subscribed to only afterwards.
 */
export async function findMatch(
  ctx: Ctx,
  { email_folded, number_folded, received_at }: Declaration,
): Promise<Match | undefined> {
  const living = await rows(ctx.db, selectLiving(ctx, { email_folded, number_folded, received_at }));
  const fitting = number_folded === "" ? living : living.filter(({ is_named }) => is_named === 1);
  const [one] = fitting;
  if (!one || fitting.length > 1) return undefined;
  return {
    subscription_id: one.id,
    profile_id: one.profile_id,
    isReached: one.email_status !== "suppressed",
  };
}

type Living = { id: string; profile_id: string; email_status: string; is_named: 0 | 1 };

/** The customer's living subscriptions, and whether the number names each. Two are enough to know that there are several. */
function selectLiving(
  { account }: Ctx,
  {
    email_folded,
    number_folded,
    received_at,
  }: Pick<Declaration, "email_folded" | "number_folded" | "received_at">,
): Statement<Living> {
  const isOrderNumber = ["store_order_number", "external_order_number"]
    .map((column) => `${folded(`orders.${column}`)} = ?3`)
    .join(" OR ");
  return raw<Living>(
    `SELECT s.id, s.profile_id, p.email_status, s.number = ?3 OR EXISTS (
        SELECT 1 FROM order_subscriptions AS its CROSS JOIN orders ON orders.account_seq = its.account_seq AND orders.id = its.order_id
        WHERE its.account_seq = s.account_seq AND its.subscription_id = s.id AND (${isOrderNumber})) AS is_named
      FROM profiles AS p CROSS JOIN subscriptions AS s ON s.account_seq = p.account_seq AND s.profile_id = p.id
      WHERE p.account_seq = ?1 AND p.email_folded = ?2 AND p.deleted_at IS NULL
        AND s.status IN ('ACTIVE', 'PAUSED', 'PAYMENT_FAILED') AND s.created_at <= ?4
      LIMIT ${mostLooked}`,
    ...[account.seq, email_folded, number_folded, received_at],
  );
}

/** The text of a column as `foldNumber` folds it, with the signs that numbers have. */
function folded(column: string): string {
  return ["#", " ", "-", "/", ".", "_"].reduce(
    (text, sign) => `REPLACE(${text}, '${sign}', '')`,
    `UPPER(${column})`,
  );
}

/** A customer with more subscriptions is for staff to look at. */
const mostLooked = 100;
