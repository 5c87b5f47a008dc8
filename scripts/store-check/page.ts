import { type Assumption, type AssumptionsFile, isGuess, type Verdict } from "./assumptions.ts";

/** The page of the assumptions, as Markdown: after a head of its own, how many are settled, and each with its source. */
export function assumptionsPage(head: string, { assumptions, verdicts }: AssumptionsFile): string {
  const guesses = assumptions.filter(isGuess);
  const checked = assumptions.filter(({ settled_by }) => settled_by !== null);
  const areas = Map.groupBy(assumptions, ({ area }) => area);
  const sections = [...areas].map(
    ([area, rows]) =>
      `## ${capitalized(area)}\n\n${rows.map((row) => item(row, verdicts[row.id])).join("\n")}\n`,
  );
  const counts = `Of ${assumptions.length} assumptions ${checked.length} are checked, and of the ${guesses.length} that are guesses, in whole or in part, ${guesses.filter(({ settled_by }) => settled_by !== null).length}; a person has to look at the others.`;
  return `${head}\n${counts}\n${outcomeOf(Object.values(verdicts))}\n\n${sections.join("\n")}`;
}

function outcomeOf(verdicts: Verdict[]): string {
  if (verdicts.length === 0) return "The check was never run at a real store.";
  const dates = verdicts.map(({ date }) => date).sort();
  const count = (verdict: Verdict["verdict"]) => verdicts.filter((one) => one.verdict === verdict).length;
  return `The newest verdict is of ${dates.at(-1)}: ${count("confirmed")} confirmed, ${count("contradicted")} contradicted, ${count("not testable")} not testable there.`;
}

function item(row: Assumption, verdict: Verdict | undefined): string {
  const check =
    row.settled_by === null
      ? `Not checked: ${row.why_not}.`
      : `Checked by \`${row.settled_by}\`${stateOf(verdict)}.`;
  return `- ${capitalized(row.assumption)}. ${check}\n  Source: ${row.source}. Used in ${row.used_in}.`;
}

function stateOf(verdict: Verdict | undefined): string {
  if (!verdict) return ", not run yet";
  const note = verdict.note && ` (${verdict.note})`;
  return `: **${verdict.verdict}** on ${verdict.date} by version ${verdict.api_version}${note}`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
