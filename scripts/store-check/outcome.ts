import type { Verdict } from "./assumptions.ts";

/** The verdict of a check, and what it was seen by. */
export type Outcome = Pick<Verdict, "verdict" | "note">;

export function confirmed(note = ""): Outcome {
  return { verdict: "confirmed", note };
}

export function contradicted(note: string): Outcome {
  return { verdict: "contradicted", note };
}

export function untestable(note: string): Outcome {
  return { verdict: "not testable", note };
}

export function confirmedIf(holds: boolean, note: string): Outcome {
  return holds ? confirmed(note) : contradicted(note);
}

/** A check that cannot be made says nothing of what it is about. */
export async function settle(check: () => Promise<Outcome>): Promise<Outcome> {
  return check().catch((error: unknown) => untestable(messageOf(error)));
}

/** One line, without the ids of records: verdicts are published. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text
    .replaceAll(/gid:\/\/shopify\/(\w+)\/[\w-]+/g, "$1")
    .replaceAll(/\b((?:[a-z]+_)+)[A-Za-z0-9]*[A-Z0-9][A-Za-z0-9]{8,}\b/g, "$1…")
    .replaceAll(/\s+/g, " ")
    .slice(0, 200);
}
