import { eventTypes } from "../../../base/event-types.ts";
import { type CalendarDate, type Instant, later } from "../../../base/lib/time/dates.ts";
import { dayMs, minuteMs, secondMs } from "../../../base/lib/time/durations.ts";
import type { Ctx } from "../../../kit/context.ts";
import { carryOut } from "../../declarations/actions/carry-out.ts";
import { takenBackWithinMs } from "../../declarations/actions/take-back.ts";
import { notMeUrl } from "../../declarations/not-me.ts";
import { getDeclaration, isBeyondLimit } from "../../declarations/queries.ts";
import type { Declaration, DeclarationKind } from "../../declarations/tables.ts";
import { SilenceError, WaitError } from "../facts/silence.ts";
import type { MailKindDefinition } from "../mail-kind.ts";
import type { EveryMail } from "../render/facts.ts";
import { everyPlaceholder } from "../render/placeholders.ts";
import type { View } from "../render/view.ts";

type Facts = EveryMail & {
  declared: DeclarationKind;
  received_at: Instant;
  number: string | null;
  wants_on: CalendarDate | null;
  is_for_cause: boolean;
  reason: string | null;
  /** Whether its subscription was found, and ends by itself; then the reader is its customer. */
  is_carried_out: boolean;
  /** Whether its customer had started the subscription again before it was carried out. */
  is_taken_back: boolean;
  effective_on: CalendarDate | null;
  /** Empty where there is nothing to take back. */
  not_me_url: string;
  not_me_until: Instant;
};

/** The acknowledgement of a declaration, to the address that was typed. Only the subscription's own customer reads what has come of it. */
export const declaration: MailKindDefinition<"declaration", Facts> = {
  name: "declaration",
  description:
    "The acknowledgement of a cancellation or withdrawal that was declared without signing in, to the address that was typed.",
  events: [eventTypes.declaration_received],
  placeholders: everyPlaceholder,
  isRepeatable: true,
  async readRecipient(ctx, event) {
    const found = await getDeclaration(ctx, event.loggable_id);
    if (await isBeyondLimit(ctx, found)) throw new SilenceError("too_many");
    return found.email;
  },
  async prepare(ctx, event): Promise<Facts> {
    const found = await lookedAt(ctx, event.loggable_id);
    const is_carried_out = found.carried_out !== null && found.status === "CARRIED_OUT";
    return {
      first_name: null,
      timezone: ctx.account.timezone,
      declared: found.kind,
      received_at: found.received_at,
      number: found.number,
      wants_on: found.wants_on,
      is_for_cause: found.is_for_cause === 1,
      reason: found.reason,
      is_carried_out,
      is_taken_back: found.carried_out === null && found.status === "TAKEN_BACK",
      effective_on: is_carried_out ? found.effective_on : null,
      not_me_url: is_carried_out ? await notMeUrl(ctx, found.id) : "",
      not_me_until: later(found.received_at, takenBackWithinMs),
    };
  },
  letter(view, facts) {
    const { words, shop, moment, day } = view;
    const texts = words.declaration;
    const { declared, is_carried_out, is_taken_back, effective_on } = facts;
    const ends = effective_on === null ? texts.endsAfterTerm : texts.ends(day(effective_on));
    const open = is_taken_back ? texts.continues : texts.open[declared];
    return {
      subject: texts.subject[declared](shop),
      intro: [texts.received(moment(facts.received_at)), is_carried_out ? ends : open],
      facts: declaredRows(view, facts),
      button: facts.not_me_url === "" ? null : { text: texts.notMe, url: facts.not_me_url },
      closing: facts.not_me_url === "" ? [] : [texts.notMeText(moment(facts.not_me_until))],
      because: texts.because(shop),
    };
  },
  sample: ({ recipient, now, inDays, page }) => ({
    ...recipient,
    declared: "cancellation",
    received_at: now,
    number: "1001",
    wants_on: null,
    is_for_cause: false,
    reason: null,
    is_carried_out: true,
    is_taken_back: false,
    effective_on: inDays(0),
    not_me_url: page === "" ? "" : `${page}/leave/not-me/EXAMPLE`,
    not_me_until: later(now, 7 * dayMs),
  }),
};

/**
 * The declaration once its subscription was looked for: by its job, or now, whoever comes first. Should that fail for long, the acknowledgement does
 * not wait for it.
 */
async function lookedAt(ctx: Ctx, id: string): Promise<Declaration> {
  const found = await getDeclaration(ctx, id);
  if (found.next_action_at === null) return found;
  try {
    await carryOut(ctx, id);
    return await getDeclaration(ctx, id);
  } catch (error) {
    if (ctx.realNow < later(found.recorded_at, waitMsMax)) throw new WaitError(retryMs);
    ctx.log("declaration_not_looked_at", { alert: true, declaration_id: id, cause: String(error) });
    return found;
  }
}

const [retryMs, waitMsMax] = [20 * secondMs, 5 * minuteMs];

function declaredRows({ words, day }: View, facts: Facts) {
  const texts = words.declaration;
  const isCancellation = facts.declared === "cancellation";
  const from = facts.wants_on === null ? texts.soonest : day(facts.wants_on);
  const grounds = facts.is_for_cause ? texts.cause : texts.ordinary;
  return [
    { label: texts.declared, value: texts.kinds[facts.declared] },
    facts.number === null ? null : { label: texts.number, value: facts.number },
    isCancellation ? { label: texts.from, value: from } : null,
    isCancellation ? { label: texts.grounds, value: grounds } : null,
    facts.reason === null ? null : { label: texts.reason, value: facts.reason },
  ];
}
