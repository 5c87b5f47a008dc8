import { isDateText, parseInstantIn, startOfDay } from "../../src/base/lib/time/dates.ts";
import {
  type ChallengePosition,
  firstToAsk,
  reconcileChallenges,
} from "../../src/domain/billing/reconcile/challenges.ts";
import { type ChargeFinding, reconcilePage } from "../../src/domain/billing/reconcile/page.ts";
import { lookAtRefundsSince } from "../../src/domain/billing/reconcile/refunds.ts";
import { lookAtRefunds, type RefundsLook } from "../../src/domain/store-sync/look-at-refunds.ts";
import type { Ctx } from "../../src/kit/context.ts";
import { type Commands, recordsOf, required } from "./command.ts";
import { ctxAtStore } from "./context.ts";
import { UsageError } from "./options.ts";

export const reconcileCommands: Commands = {
  reconcile: {
    takes: ["shop", "account", "since"],
    async run(db, values) {
      const text = required(values, "since");
      if (!isDateText(text)) throw new UsageError("--since must be a date or a date-time");
      const { db: records, account } = await recordsOf(db, values);
      const since = parseInstantIn(text, account.timezone) ?? startOfDay(text, account.timezone);
      const ctx = await ctxAtStore(records, account);
      const { pages, findings } = await reconcileAll(ctx, since);
      const { recorded: refunds, open } = await recordRefunds(ctx, since);
      const unresolved = findings.filter(({ problem }) => problem !== "recorded").length;
      const recorded = findings.length - unresolved;
      const ofRefunds = open.map((reference) => ({ problem: "refunds_not_recorded", reference }));
      return [
        ...[...findings, ...ofRefunds],
        {
          ...{ since, pages, recorded },
          ...(ctx.store.listRefundsSince ? { refunds } : {}),
          unresolved: unresolved + open.length,
        },
      ];
    },
    leavesOpen: (lines) => lines.some((line) => "unresolved" in line && line.unresolved !== 0),
  },
};

async function reconcileAll(ctx: Ctx, since: string): Promise<{ pages: number; findings: ChargeFinding[] }> {
  const findings: ChargeFinding[] = [];
  let pages = 1;
  for (let after: string | null = null; ; pages++) {
    const page: Awaited<ReturnType<typeof reconcilePage>> = await reconcilePage(ctx, { since, after });
    findings.push(...page.findings);
    if (page.next === null && !page.isCut) break;
    after = page.next;
  }
  findings.push(...(await challengesSince(ctx, since)));
  return { pages, findings };
}

/** Those of the time that is compared, and of the month before it. */
async function challengesSince(ctx: Ctx, since: string): Promise<ChargeFinding[]> {
  const findings: ChargeFinding[] = [];
  let next: ChallengePosition | null = firstToAsk(ctx, since);
  while (next) {
    const page: Awaited<ReturnType<typeof reconcileChallenges>> = await reconcileChallenges(ctx, next);
    findings.push(...page.findings);
    next = page.next;
  }
  return findings;
}

/** Records the refunds that are not known as they are: how many, and the charges whose refunds could not be recorded. */
async function recordRefunds(ctx: Ctx, compared: string): Promise<Pick<RefundsLook, "recorded" | "open">> {
  const { since } = lookAtRefundsSince(ctx, compared);
  let recorded = 0;
  const open: string[] = [];
  for (let after: string | null = null; ; ) {
    const look: RefundsLook = await lookAtRefunds(ctx, { since, after });
    recorded += look.recorded;
    open.push(...look.open);
    if (look.next === null) return { recorded, open };
    after = look.next;
  }
}
