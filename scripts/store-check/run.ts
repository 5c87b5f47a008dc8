import { messageOf, type Outcome, settle, untestable } from "./outcome.ts";

/** Checks that share what was prepared for them, by the id of the assumption that each is about, in the order in which they run. */
export type Checks<Lab, Context> = {
  prepare: (lab: Lab) => Promise<Context>;
  checks: Record<string, (context: Context) => Promise<Outcome>>;
};

/** The outcome of each check. If they cannot be prepared, or something is missing, nothing of them can be tested. */
export async function runChecks<Lab>(
  { prepare, checks }: Checks<Lab, unknown>,
  lab: Lab,
  missing?: Outcome,
): Promise<Record<string, Outcome>> {
  const all = (outcome: Outcome) => Object.fromEntries(Object.keys(checks).map((id) => [id, outcome]));
  if (missing) return all(missing);
  try {
    const context = await prepare(lab);
    const outcomes: Record<string, Outcome> = {};
    for (const [id, check] of Object.entries(checks)) outcomes[id] = await settle(() => check(context));
    return outcomes;
  } catch (error) {
    return all(untestable(messageOf(error)));
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A record that a check has made, and how it goes away again. */
export type Undoing = { what: string; undo: () => Promise<unknown> };

/** Undoes in reverse order. What cannot be undone is returned in words, and ends nothing. */
export async function cleanUp(undoings: Undoing[]): Promise<string[]> {
  const left: string[] = [];
  for (const { what, undo } of undoings.toReversed()) {
    try {
      await undo();
    } catch (error) {
      left.push(`${what}: ${messageOf(error)}`);
    }
  }
  return left;
}
