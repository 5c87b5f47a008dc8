import type { Verdict } from "../store-check/assumptions.ts";
import { cleanUp, runChecks, type Undoing } from "../store-check/run.ts";
import { apiVersion, bodyOf, type Connection, openLab } from "./lab.ts";
import type { Section } from "./section.ts";

export type Run = {
  connection: Connection;
  sections: Section[];
  /** Today, which a verdict is dated by. */
  date: string;
  /** The idempotency keys of this run have it, so that no other run's are alike. */
  runId: string;
  pauseMs?: number;
  /** Is told each section's verdicts as soon as it has ended, so that none is lost by what follows. */
  onSection: (result: SectionResult) => void;
};

export type SectionResult = {
  name: string;
  verdicts: Record<string, Verdict>;
  /** The records that could not be cleaned up, each with the reason. */
  left: string[];
};

/** Runs the sections in turn. Throws for a key of live mode, before anything is sent, and for one that reaches no account. */
export async function runCheck({
  connection,
  sections,
  date,
  runId,
  pauseMs = 1000,
  onSection,
}: Run): Promise<void> {
  if (!/^(sk|rk)_test_/.test(connection.secretKey)) throw new Error("The key is not of test mode");
  const opened = openLab(connection, pauseMs);
  bodyOf(await opened.get("customers", { limit: 1 }));
  for (const section of sections) {
    const undoings: Undoing[] = [];
    const outcomes = await runChecks(section, {
      ...opened,
      unique: (name: string) => `stripe-check-${runId}-${section.name}-${name}`,
      atEnd: (what: string, undo: () => Promise<unknown>) => void undoings.push({ what, undo }),
    });
    const api_version = [...opened.versions].at(-1) ?? apiVersion;
    const verdicts = Object.entries(outcomes).map(([id, outcome]) => [id, { ...outcome, date, api_version }]);
    onSection({ name: section.name, verdicts: Object.fromEntries(verdicts), left: await cleanUp(undoings) });
  }
}
