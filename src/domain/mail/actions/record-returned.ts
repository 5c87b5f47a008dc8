import { and, eq, inArray, sql } from "drizzle-orm";
import { commit } from "../../../base/db/commit.ts";
import type { Statement } from "../../../base/db/port.ts";
import { retryOnConflict } from "../../../base/db/retry-on-conflict.ts";
import { build, first, statement } from "../../../base/db/statement.ts";
import type { Ctx } from "../../../kit/context.ts";
import { change } from "../../../kit/journal/write.ts";
import { profileEntry } from "../../profiles/entries.ts";
import { findProfile } from "../../profiles/queries.ts";
import type { Profile } from "../../profiles/tables.ts";
import type { ReturnedMail } from "../providers/webhooks.ts";
import { type MailRow, mails } from "../tables.ts";

/**
 * Records that a mail has come back or was reported, once. Where its address takes no mails any more and is still the customer's, the
 * customer is written to no more, which is an event. A mail that is not known is none of ours, or was deleted.
 */
export function recordReturned(ctx: Ctx, returned: ReturnedMail): Promise<void> {
  return retryOnConflict(async () => {
    const mail = await first(ctx.db, selectMail(ctx, returned.providerId));
    if (!mail) return;
    const profile = mail.profile_id === null ? undefined : await findProfile(ctx, mail.profile_id);
    const writes = [updateReturned(mail, returned)];
    if (!profile || !returned.isFinal || !isReached(profile, mail)) {
      await commit({ db: ctx.db }, writes);
      return;
    }
    const entry = {
      ...profileEntry("profile_email_suppressed", profile),
      metadata: { mail_id: mail.id, status: returned.status },
    };
    await change(ctx, { ...entry, after: { email_status: "suppressed" } }, { writes });
  });
}

/** Whether the mail was sent to the address that the customer still has, and to which mails are still sent. */
function isReached({ email, email_status }: Profile, { recipient, is_masked }: MailRow): boolean {
  return email_status !== "suppressed" && (is_masked === 1 || recipient === email);
}

function selectMail({ account }: Ctx, providerId: string): Statement<MailRow> {
  return statement(
    build
      .select()
      .from(mails)
      .where(
        and(
          eq(mails.account_seq, account.seq),
          sql`substr(${mails.provider_id}, 1, 18) = substr(${providerId}, 1, 18)`,
          eq(mails.provider_id, providerId),
        ),
      )
      .limit(1),
  );
}

/** A complaint says more than a return. */
function updateReturned({ account_seq, id }: MailRow, { status }: ReturnedMail): Statement {
  const before: MailRow["status"][] = status === "COMPLAINED" ? ["SENT", "BOUNCED"] : ["SENT"];
  return statement(
    build
      .update(mails)
      .set({ status })
      .where(and(eq(mails.account_seq, account_seq), eq(mails.id, id), inArray(mails.status, before))),
  );
}
