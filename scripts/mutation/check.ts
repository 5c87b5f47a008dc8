import { type Outcome, scoreOf } from "./outcome.ts";
import type { Survivor } from "./survivors.ts";

/** A file has no lower score than this, however well its survivors are explained. */
export const leastScore = 95;

/** Why an outcome does not stand: survivors that are not listed, listed ones that do not survive, a score that is too low. */
export function faultsIn(outcome: Outcome, listed: Survivor[] = []): string[] {
  const known = listed.flatMap(({ mutants }) => mutants.map(([line, becomes]) => textOf(line, becomes)));
  const found = outcome.survivors.map(({ line, becomes }) => textOf(line, becomes));
  const score = scoreOf(outcome);
  return [
    ...found.filter((text) => !known.includes(text)).map((text) => `survives and is not listed:\n${text}`),
    ...known
      .filter((text) => !found.includes(text))
      .map((text) => `is listed and does not survive:\n${text}`),
    ...(score < leastScore ? [`scores ${score.toFixed(2)} %, which is less than ${leastScore} %`] : []),
  ];
}

function textOf(line: string, becomes: string): string {
  return `    - ${line}\n    + ${becomes}`;
}
