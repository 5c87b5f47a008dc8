import { type ActionName, actions, type Fields, pathOf, type Undo } from "./actions.ts";
import { hasChanged, isOfContents, undoContents } from "./content-changes.ts";
import type { AnsweredAttempt, Notice } from "./notice.ts";
import type { Subscription } from "./summary.ts";
import type { Ask, AskOperations, SignedIn } from "./visit.ts";

export type Change = { id: string; name: ActionName; fields: Fields };
type Confirmation = Change & {
  key?: string;
  /** The charge that the page has shown, as `keyOf` spells it; empty for nothing. */
  charges: string;
};

/**
 * Does it, once however often the form is sent, and returns the subscription as it was before. Undefined, with nothing done, if it would
 * charge something else than the page has shown.
 */
export async function confirm(
  visit: SignedIn,
  ask: AskOperations,
  { id, name, fields, charges, ...key }: Confirmation,
): Promise<Confirmed | undefined> {
  const { operation, bodyOf } = actions[name];
  const [{ data: before }, { data: methods }, { data: shop }, ...dry] = await ask(
    visit,
    { id: "getSubscription", path: { id } },
    { id: "getSubscriptionPaymentMethods", path: { id } },
    { id: "getOwnShop" },
    ...(charging.has(name) ? [dryRunOf({ id, name, fields })] : []),
  );
  const charge = dry.map(chargeIn).find((each) => each !== undefined);
  if (charge && keyOf(charge) !== charges) return undefined;
  const isGone = name === "remove" && before.lines.every(({ id: lineId }) => lineId !== fields.line);
  const change = { id: operation, path: pathOf({ id, fields }), body: bodyOf(fields), ...key };
  const [answered] = isGone ? [{ data: before }] : await ask(visit, change);
  const answer = answered as unknown;
  const after = isSubscription(answer) ? answer.data : before;
  const offered = shop.frequencies.map(({ interval, interval_count }) => `${interval}-${interval_count}`);
  const attempt = attemptIn(answer);
  return {
    ...{ before, after, methodId: methods.current?.id, offered, maxPauseDays: shop.max_pause_days },
    ...(attempt ? { attempt } : {}),
    isRepeated: isOfContents(name)
      ? !hasChanged({ before, after })
      : name === "payment-method" && methods.current?.id === fields.payment_method_id,
  };
}

type Confirmed = {
  before: Subscription;
  after: Subscription;
  methodId: string | undefined;
  offered: string[];
  maxPauseDays: number | null;
  attempt?: AnsweredAttempt;
  /** The form was sent before, and has done all of it then. */
  isRepeated: boolean;
};

/** The notice of a change on the page that follows. */
export function noticeAfter(done: ActionName, confirmed: Confirmed): Notice {
  const { attempt } = confirmed;
  const undo = findUndo(done, confirmed);
  return { done, ...(undo ? { undo } : {}), ...(attempt ? { attempt } : {}) };
}

/** A dry run of an action, whose refusal is no error of the page. */
export function dryRunOf({ id, name, fields }: Change) {
  const { operation, bodyOf } = actions[name];
  return {
    id: operation,
    path: pathOf({ id, fields }),
    query: { dry_run: "true" },
    body: bodyOf(fields),
    mayBeRefused: true,
  } as const satisfies Ask;
}

/** The charge that a dry run says would be made at once; undefined for none. */
export function chargeIn(answer: unknown): Charge | undefined {
  if (typeof answer !== "object" || answer === null || !("dry_run" in answer)) return undefined;
  return (answer.dry_run as Charge | null) ?? undefined;
}

/** The charge that a page shows, as a text that its form sends back. */
export function keyOf({ cycle, amount, currency_code }: Charge): string {
  return `${cycle} ${amount} ${currency_code}`;
}

/** The action that undoes a change, where the customer may take it. A change that has charged is not undone. */
function findUndo(name: ActionName, confirmed: Confirmed): Undo | undefined {
  const { before, after, methodId, offered, maxPauseDays, attempt } = confirmed;
  if (name === "payment-method")
    return methodId === undefined || attempt
      ? undefined
      : { action: name, fields: { payment_method_id: methodId } };
  const undo = isOfContents(name) ? undoContents(name, confirmed) : actions[name].undo?.(before, after);
  if (undo?.action === "frequency" && !offered.includes(undo.fields.frequency ?? "")) return undefined;
  return undo?.action === "pause" && maxPauseDays !== null ? undefined : undo;
}

/** The actions that may charge at once. */
const charging: ReadonlySet<ActionName> = new Set(["ship-now", "retry-payment", "payment-method"]);

export type Charge = { cycle: number; amount: number; currency_code: string; delivery_date?: string };

type Answered = { billing_attempt_id?: string | null; status?: string };

/** The answer to a request to bill has a status where an earlier attempt answers it. */
function attemptIn(answer: unknown): AnsweredAttempt | undefined {
  const { billing_attempt_id: id, status } = (answer ?? {}) as Answered;
  return id ? { id, isNew: status === undefined } : undefined;
}

function isSubscription(answer: unknown): answer is { data: Subscription } {
  return (
    typeof answer === "object" &&
    answer !== null &&
    "data" in answer &&
    "can_cancel" in (answer.data as object)
  );
}
