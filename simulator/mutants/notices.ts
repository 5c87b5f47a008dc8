import { edit, type Mutant } from "./edits.ts";

const notify = "src/domain/dunning/notify-customer.ts";
const file = "test/shopify/payment-update.test.ts";

/**
 * Bugs by which a customer is told twice of a payment that was declined, or never, or of one that was made. Random schedules hardly lose
 * the one answer that they are about, so that a test of its own proves each.
 */
export const noticeMutants: Mutant[] = [
  {
    name: "an e-mail after no answer",
    what: "after a time-out the store is asked for an e-mail again",
    edits: [
      edit(
        notify,
        "return recordSent(ctx, taken, false);",
        'return void (await commit({ db: ctx.db }, [noticeOutbox.later(taken, later(ctx.realNow, 120_000), { state: "PENDING" })]));',
      ),
    ],
    test: "the answer is lost (timeout, done)",
  },
  {
    name: "asked before it is taken",
    what: "whoever has the message asks the store for an e-mail",
    edits: [edit(notify, "  if (!(await takeNotice(ctx, notice))) return;\n", "")],
    test: "delivered many times, at once and later: one e-mail",
  },
  {
    name: "an e-mail for a dead sender",
    what: "a notice whose sender died is sent again, though the store may have been asked",
    edits: [edit(notify, '  if (notice.state === "SENDING") return recordSent(ctx, notice, false);\n', "")],
    test: "it dies between the store's answer and the commit",
  },
  {
    name: "notices are never swept",
    what: "nobody is told where the message was lost",
    edits: [edit("src/runtime/jobs/tick.ts", "  notices: [noticeSweep],\n", "")],
    test: "lost: the sweep finds the notice",
  },
  {
    name: "told of what was paid",
    what: "a customer who has paid meanwhile is asked for another payment method",
    edits: [edit(notify, "|| !(await isStillWanted(ctx, view, notice))", "")],
    test: "late, after it was paid: no e-mail",
  },
].map(({ test, ...mutant }) => ({ ...mutant, caughtBy: { file, test } }));
