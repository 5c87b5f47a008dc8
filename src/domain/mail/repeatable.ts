import { kindOf } from "./events.ts";
import type { MailKind } from "./kinds.ts";

/**
 * Whether a mail is repeated through a provider that cannot tell a repetition from another mail, when nobody knows whether it was sent:
 * one that a customer waits for, or that the law asks for. Of the others none is better than two.
 */
export function isRepeatable(eventType: string): boolean {
  const kind = kindOf(eventType);
  return kind !== undefined && repeatable.includes(kind);
}

const repeatable: readonly MailKind[] = ["login_link", "upcoming_charge", "price_change"];
