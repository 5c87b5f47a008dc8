import { type Instant, later } from "../../base/lib/time/dates.ts";
import { dayMs, hourMs } from "../../base/lib/time/durations.ts";
import { kindOf } from "./kinds.ts";
import type { Mail, MailProvider } from "./tables.ts";

type Tried = Pick<Mail, "event_type" | "provider" | "unsettled_at">;

/**
 * Whether a mail may be sent though an earlier try of it may have been taken: while the provider still knows that try by its key. Where it
 * never does, two are better than none of a mail that a customer waits for, or that the law asks for; of the others none is better.
 */
export function mayBeSent(mail: Tried, provider: MailProvider, now: Instant): boolean {
  if (mail.unsettled_at === null) return true;
  const keptMs = mail.provider === provider ? keysKeptMs[provider] : undefined;
  if (keptMs !== undefined) return now < later(mail.unsettled_at, keptMs);
  return kindOf(mail.event_type)?.isRepeatable ?? false;
}

/** The time in which a repetition under the key of a try sends nothing again. Resend keeps keys for 24 hours, of which one is left to spare. */
const keysKeptMs: Partial<Record<MailProvider, number>> = { resend: 23 * hourMs, log: dayMs };
