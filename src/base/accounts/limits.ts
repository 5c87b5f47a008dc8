import { DomainError } from "../errors.ts";
import { toMajor } from "../lib/money.ts";
import type { ApiKey } from "./tables.ts";

/** A credential that does only what it has previewed, and the most that one of its requests charges or refunds in all, in minor units; null for any. */
export type CredentialLimits = { requires_preview: boolean; max_amount: number | null };

type LimitsOfKey = Pick<ApiKey, "requires_preview" | "max_amount">;

export function limitsOfKey({ requires_preview, max_amount }: LimitsOfKey): CredentialLimits {
  return { requires_preview: requires_preview === 1, max_amount };
}

/** The bounds that there are, by their names, where they are written down. */
export function statedLimits({ requires_preview, max_amount }: CredentialLimits) {
  return { ...(requires_preview && { requires_preview }), ...(max_amount !== null && { max_amount }) };
}

/** The bounds that several credentials have together; undefined where there are none. */
export function strictest(limits: (CredentialLimits | undefined)[]): CredentialLimits | undefined {
  const all = limits.filter((one) => one !== undefined);
  const amounts = all.flatMap(({ max_amount }) => (max_amount === null ? [] : [max_amount]));
  const requires_preview = all.some((one) => one.requires_preview);
  const max_amount = amounts.length === 0 ? null : Math.min(...amounts);
  return requires_preview || max_amount !== null ? { requires_preview, max_amount } : undefined;
}

/** The bounds of what a credential makes: its own, unless stricter ones are asked for. Throws FORBIDDEN for looser ones. */
export function narrowed(own: CredentialLimits, asked: Partial<CredentialLimits>): CredentialLimits {
  const { requires_preview = own.requires_preview, max_amount = own.max_amount } = asked;
  const isLooser = own.max_amount !== null && (max_amount === null || max_amount > own.max_amount);
  if (isLooser || (own.requires_preview && !requires_preview))
    throw new DomainError("FORBIDDEN", "The API key has limits, and what it makes has no looser ones");
  return { requires_preview, max_amount };
}

/**
 * Throws AMOUNT_ABOVE_LIMIT where a request would charge or refund more in all than its credentials may, or in another currency than the account's,
 * which their bound is in. Amounts are minor units.
 */
export function requireWithinLimit(
  { limits, account }: { limits?: CredentialLimits | undefined; account: { currency_code: string } },
  amounts: { amount: number; currency_code: string }[],
): void {
  const most = limits?.max_amount ?? null;
  if (most === null) return;
  const { currency_code: currency } = account;
  const other = amounts.find(({ currency_code }) => currency_code !== currency);
  if (other)
    throw new DomainError(
      "AMOUNT_ABOVE_LIMIT",
      `The credential may charge or refund amounts in ${currency} alone; this is in ${other.currency_code}`,
    );
  const sum = amounts.reduce((all, { amount }) => all + amount, 0);
  if (sum <= most) return;
  throw new DomainError(
    "AMOUNT_ABOVE_LIMIT",
    `The credential may charge or refund at most ${toMajor(most, currency)} ${currency} at a time; this is ${toMajor(sum, currency)}`,
  );
}
