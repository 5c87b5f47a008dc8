import type { Statement } from "../port.ts";

/**
 * A request that is decided on before it is done, or instead of that: the batches that it would write, in order, the ids that it would make, and
 * further conditions under which the batches are still what was decided. With these it can be done exactly so, or not at all.
 */
export type Rehearsal = {
  isDry: boolean;
  isBegun: boolean;
  batches: string[];
  guards: Statement[];
  ids: string[];
};

/** A request would write something else than it has just been decided to: it has to be decided on anew. */
export class OtherDecisionError extends Error {}

export function newRehearsal(): Rehearsal {
  return { isDry: true, isBegun: false, batches: [], guards: [], ids: [] };
}

/** The guards of a batch that is done as it was rehearsed; undefined where it is rehearsed now, and so not written. Throws OtherDecisionError. */
export function admit(rehearsal: Rehearsal, statements: Statement[]): Statement[] | undefined {
  const text = JSON.stringify(statements.map(({ sql, params }) => [sql, params]));
  if (rehearsal.isDry) {
    rehearsal.batches.push(text);
    return undefined;
  }
  const [next] = rehearsal.batches;
  if (next !== text && (next !== undefined || !rehearsal.isBegun)) throw new OtherDecisionError();
  return rehearsal.guards;
}

/** A batch was done as it was rehearsed: the next one is compared with the next. */
export function noteDone(rehearsal: Rehearsal): void {
  rehearsal.isBegun = true;
  rehearsal.batches.shift();
  rehearsal.guards = [];
}
