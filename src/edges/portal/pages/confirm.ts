import { entryOf, isRefusal, previewOf } from "../../pages/ask.ts";
import type { Fields } from "../../pages/fields.ts";
import { type ActionName, actions, pathOf } from "./actions.ts";
import { hasChanged, isOfContents } from "./contents/content-changes.ts";
import type { AnsweredAttempt, Notice } from "./notice.ts";
import type { ShownSubscription } from "./summary.ts";
import type { AskOperations, OperationCall, OperationId, SignedIn } from "./visit.ts";

export type ChosenAction = { id: string; name: ActionName; fields: Fields };
type Confirmation = ChosenAction & {
  key?: string;
  /** The preview that the page has shown; empty for none, which charges nothing. */
  preview: string;
};

/**
 * Does it, once however often the form is sent, and returns the entry by which it can be undone. Undefined, with nothing done, if it would
 * do something else than the page has shown.
 */
export async function confirm(
  visit: SignedIn,
  ask: AskOperations,
  { id, name, fields, preview, ...key }: Confirmation,
): Promise<Confirmed | undefined> {
  const { operation, bodyOf } = actions[name];
  const isUnseen = preview === "" && charging.has(name);
  const isTyped = preview !== "" && name === "cancel";
  const [{ data: before }, { data: methods }, ...dry] = await ask(
    visit,
    { id: "getSubscription", path: { id } },
    { id: "getSubscriptionPaymentMethods", path: { id } },
    ...(isUnseen || isTyped ? [dryRunOf({ id, name, fields })] : []),
    ...(isTyped ? [dryRunOf({ id, name, fields: {} })] : []),
  );
  if (dry.some((answer) => chargesIn(answer).length > 0)) return undefined;
  const isGone = name === "remove" && before.lines.every(({ id: lineId }) => lineId !== fields.line);
  const change = { id: operation, path: pathOf({ id, fields }), body: bodyOf(fields), ...key };
  // The reason is typed beside the button that confirms: it is no part of what was shown, and changes nothing of it.
  const isShown = isTyped && dry.some((answer) => previewOf(answer) === preview);
  const itsPreview = (isShown ? previewOf(dry[0]) : undefined) ?? preview;
  const shown = { ...change, ...(preview === "" ? {} : { preview: itsPreview }) };
  const [answered] = isGone ? [{ data: before }] : await ask(visit, { ...shown, mayBeRefused: true });
  if (isRefusal(answered)) {
    if (answered.code === "PREVIEW_CHANGED") return undefined;
    throw answered;
  }
  const answer = answered as unknown;
  const after = isSubscription(answer) ? answer.data : before;
  const attempt = attemptIn(answer);
  const entry = entryOf(answered as object);
  return {
    ...(entry ? { entry } : {}),
    ...(attempt ? { attempt } : {}),
    isRepeated: isOfContents(name)
      ? !hasChanged({ before, after })
      : name === "payment-method" &&
        fields.update_all === undefined &&
        methods.current?.id === fields.payment_method_id,
  };
}

type Confirmed = {
  /** The entry of the change, by which it is undone. */
  entry?: string;
  attempt?: AnsweredAttempt;
  /** The form was sent before, and has done all of it then. */
  isRepeated: boolean;
};

/** The notice of a change on the page that follows. A change that has charged is not undone. */
export function noticeAfter(done: ActionName, { entry, attempt }: Confirmed): Notice {
  return { done, ...(entry && !attempt ? { entry } : {}), ...(attempt ? { attempt } : {}) };
}

/** A dry run of the undoing of a change, whose refusal is no error of the page. */
export function dryUndoOf(id: string, entry_id: string) {
  return {
    id: "undoChange" as OperationId,
    path: { id },
    query: { dry_run: "true" },
    body: { entry_id },
    mayBeRefused: true,
  } as const satisfies OperationCall;
}

/** A dry run of an action, whose refusal is no error of the page. */
export function dryRunOf({ id, name, fields }: ChosenAction) {
  const { operation, bodyOf } = actions[name];
  return {
    id: operation,
    path: pathOf({ id, fields }),
    query: { dry_run: "true" },
    body: bodyOf(fields),
    mayBeRefused: true,
  } as const satisfies OperationCall;
}

/** The charge that a dry run says would be made at once; undefined for none. */
export function chargeIn(answer: unknown): ShownCharge | undefined {
  if (typeof answer !== "object" || answer === null || !("dry_run" in answer)) return undefined;
  return (answer.dry_run as ShownCharge | null) ?? undefined;
}

/** The charges that a dry run says would be made at once, of one subscription or of several. */
export function chargesIn(answer: unknown): ShownCharge[] {
  const charge = chargeIn(answer);
  return charge === undefined ? [] : [charge].flat();
}

/** The actions that may charge at once. */
const charging: ReadonlySet<ActionName> = new Set(["ship-now", "retry-payment", "payment-method"]);

export type ShownCharge = {
  cycle: number;
  amount: number;
  currency_code: string;
  delivery_date?: string;
  /** Present where several subscriptions are charged. */
  subscription_id?: string;
};

type Answered = { billing_attempt_id?: string | null; billing_attempt_ids?: string[]; status?: string };

/** The answer to a request to bill has a status where an earlier attempt answers it. */
function attemptIn(answer: unknown): AnsweredAttempt | undefined {
  const {
    billing_attempt_ids: [first] = [],
    billing_attempt_id: id = first,
    status,
  } = (answer ?? {}) as Answered;
  return id ? { id, isNew: status === undefined } : undefined;
}

function isSubscription(answer: unknown): answer is { data: ShownSubscription } {
  return (
    typeof answer === "object" &&
    answer !== null &&
    "data" in answer &&
    "can_cancel" in (answer.data as object)
  );
}
