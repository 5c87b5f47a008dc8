import type { z } from "@hono/zod-openapi";
import { later } from "../../base/lib/time/dates.ts";
import { kindOf, testMailType } from "./kinds.ts";
import type { MailBody } from "./log-schemas.ts";
import { shownMs } from "./retention.ts";
import type { Mail, MailTemplateRow } from "./tables.ts";
import type { MailTemplateBody } from "./template-schemas.ts";

export function presentMail(row: Mail, realNow: string): z.input<typeof MailBody> {
  return {
    id: row.id,
    kind: kindOf(row.event_type)?.name ?? "test",
    event_id: row.event_type === testMailType ? null : row.id,
    profile_id: row.profile_id,
    subscription_id: row.subscription_id,
    order_id: row.order_id,
    to:
      row.created_at < later(realNow, -shownMs) && row.recipient ? maskAddress(row.recipient) : row.recipient,
    subject: row.subject,
    status: row.status,
    suppressed_reason: row.suppressed_reason,
    last_error: row.last_error,
    provider: row.provider,
    provider_id: row.provider_id,
    attempt_count: row.attempt_count,
    sent_at: row.sent_at,
    created_at: row.created_at,
  };
}

/** The first letter and the domain: `a***@example.com`. The database masks what is stored by the same rule (retention.ts). */
function maskAddress(address: string): string {
  return `${[...address][0] ?? ""}***${address.slice(address.lastIndexOf("@"))}`;
}

export function presentTemplate(row: MailTemplateRow): z.input<typeof MailTemplateBody> {
  const { kind, locale, subject, intro, closing, updated_at } = row;
  return { kind, locale, subject, intro, closing, updated_at };
}
