import { StoreRefusalError } from "../../src/stores/port.ts";
import type { Ask } from "../../src/stores/shopify/request.ts";
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
    .replaceAll(/\s+/g, " ")
    .slice(0, 200);
}

/** The codes and messages with which the store refuses a mutation; undefined if it does not. */
export async function findRefusal(
  ask: Ask,
  mutation: string,
  variables: Record<string, unknown>,
): Promise<string | undefined> {
  return refusalOf(async () => {
    const [payload] = Object.values((await ask(mutation, variables)) as Record<string, Payload | null>);
    const errors = payload?.userErrors ?? [];
    return errors.map(({ code, message }) => `${code ?? "UNKNOWN"}: ${message}`).join("; ") || undefined;
  });
}

/** The refusal that an act returns, or the one that it throws. */
export async function refusalOf(act: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof StoreRefusalError) return [...error.codes, messageOf(error)].join(": ");
    throw error;
  }
}

type Payload = { userErrors: { code?: string | null; message: string }[] };
