/** A mail whose first try may have succeeded is sent again only if nobody can get it twice, or somebody waits for it. */
import { expect, test } from "vitest";
import { mayBeSent } from "./repeatable.ts";
import type { MailProvider } from "./tables.ts";

const now = "2026-11-20T12:00:00.000Z";
const hoursAgo = (hours: number) => new Date(Date.parse(now) - hours * 3_600_000).toISOString();
const [receipt, link] = ["order.placed", "portal.login_requested"];

test.each<[boolean, string, string, { by: MailProvider; hours: number } | null, MailProvider]>([
  [true, "a mail that was never tried", receipt, null, "postmark"],
  [true, "one that the provider knows by its key", receipt, { by: "resend", hours: 22.9 }, "resend"],
  [false, "one whose key may be forgotten", receipt, { by: "resend", hours: 23 }, "resend"],
  [false, "one of any kind whose key may be forgotten", link, { by: "resend", hours: 23 }, "resend"],
  [false, "one of which the provider has no key", receipt, { by: "postmark", hours: 0 }, "postmark"],
  [true, "one that somebody waits for", link, { by: "smtp", hours: 40 }, "smtp"],
  [false, "one that another provider may have sent", receipt, { by: "postmark", hours: 1 }, "resend"],
  [true, "one that somebody waits for, by another provider", link, { by: "resend", hours: 1 }, "smtp"],
  [false, "a test", "mail.test", { by: "smtp", hours: 0 }, "smtp"],
])("%s: %s", (may, _, event_type, earlier, provider) => {
  const unsettled_at = earlier && hoursAgo(earlier.hours);
  expect(mayBeSent({ event_type, provider: earlier?.by ?? null, unsettled_at }, provider, now)).toBe(may);
});
