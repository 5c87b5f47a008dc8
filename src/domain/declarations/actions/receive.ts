import type { PortalLocale } from "../../../base/accounts/portal-settings.ts";
import { isGuard } from "../../../base/db/guard.ts";
import { StaleError } from "../../../base/db/retry-on-conflict.ts";
import { insertRow } from "../../../base/db/row-writes.ts";
import { first } from "../../../base/db/statement.ts";
import { carryOutJob } from "../../../base/job.ts";
import { emailKey } from "../../../base/lib/email-address.ts";
import type { CalendarDate } from "../../../base/lib/time/dates.ts";
import { later } from "../../../base/lib/time/dates.ts";
import { minuteMs } from "../../../base/lib/time/durations.ts";
import type { Ctx } from "../../../kit/context.ts";
import { createRecord } from "../../../kit/journal/write.ts";
import { keptMs } from "../../subscriptions/consents/record.ts";
import { declarationEntry } from "../entries.ts";
import { foldNumber } from "../match.ts";
import { guardNew, selectSame } from "../queries.ts";
import { type Declaration, type DeclarationKind, declarations } from "../tables.ts";

/** The text of a declaration, as its sender has confirmed it. */
export type Declared = {
  kind: DeclarationKind;
  email: string;
  name: string | null;
  number: string | null;
  wants_on: CalendarDate | null;
  is_for_cause: boolean;
  reason: string | null;
  locale: PortalLocale;
};

/**
 * Stores what was declared, with its acknowledgement and the job that carries it out, in one batch. Nothing is looked up of whom it is about, so
 * that it takes the same for everybody. The same content within an hour is the declaration that is there.
 */
export async function receiveDeclaration(ctx: Ctx, declared: Declared): Promise<Declaration> {
  const row = newDeclaration(ctx, declared);
  const known = await first(ctx.db, selectSame(ctx, row));
  if (known) return known;
  try {
    await createRecord(
      ctx,
      [declarationEntry("declaration_received", row)],
      [guardNew(ctx, row), insertRow(declarations, row)],
    );
  } catch (error) {
    if (!isGuard(error) && !(error instanceof StaleError)) throw error;
    const other = await first(ctx.db, selectSame(ctx, row));
    if (!other) throw error;
    return other;
  }
  await ctx.send([carryOutJob(ctx.account.id, row.id)]);
  return row;
}

function newDeclaration(ctx: Ctx, { is_for_cause, ...declared }: Declared): Declaration {
  return {
    ...declared,
    id: ctx.newId(),
    account_seq: ctx.account.seq,
    revision: 1,
    status: "TO_DO",
    email_folded: emailKey(declared.email),
    number_folded: foldNumber(declared.number),
    is_for_cause: is_for_cause ? 1 : 0,
    received_at: ctx.now,
    recorded_at: ctx.realNow,
    matched_subscription_ids: "[]",
    profile_id: null,
    effective_on: null,
    carried_out: null,
    note: null,
    next_action_at: later(ctx.realNow, graceMs),
    tries: 0,
    lease_until: null,
    prune_at: later(ctx.realNow, keptMs),
    created_at: ctx.now,
    updated_at: ctx.now,
  };
}

/** The time that the message may take before the sweep sends another. */
const graceMs = minuteMs;
