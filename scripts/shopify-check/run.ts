import { apiVersion, type Connection } from "../../src/stores/shopify/client.ts";
import type { SectionName, Verdict } from "./assumptions.ts";
import { readDevelopmentPlan } from "./documents.ts";
import { cleanUp, type Lab, openLab, type Shop, type Subjects } from "./lab.ts";
import { messageOf, type Outcome, settle, untestable } from "./outcome.ts";
import type { Section } from "./section.ts";

export type Run = {
  connection: Connection;
  sections: Section[];
  subjects?: Subjects;
  refusedGrantStatus?: Lab["refusedGrantStatus"];
  /** Today, which a verdict is dated by. */
  date: string;
  pauseMs?: number;
  /** Is told each section's verdicts as soon as it has ended, so that none is lost by what follows. */
  onSection: (result: SectionResult) => void;
};

export type SectionResult = {
  name: SectionName;
  verdicts: Record<string, Verdict>;
  /** The records that could not be cleaned up, each with the reason. */
  left: string[];
};

/** Runs the sections in turn. Throws for a store that customers buy at, before anything is written. */
export async function runCheck({
  connection,
  sections,
  subjects = {},
  refusedGrantStatus,
  date,
  pauseMs = 1000,
  onSection,
}: Run): Promise<void> {
  let writable: string[] = [];
  const { ask, versions, costs } = openLab(connection, () => writable);
  const { shop } = (await ask(readDevelopmentPlan, {})) as { shop: Shop };
  if (!shop.plan.partnerDevelopment) throw new Error(`${connection.shop} is not a development store`);
  for (const section of sections) {
    writable = Object.keys(section.writes);
    const undoings: { what: string; undo: () => Promise<unknown> }[] = [];
    const lab: Lab = {
      ask,
      subjects,
      shop,
      versions,
      costs,
      refusedGrantStatus,
      pauseMs,
      atEnd: (what, undo) => void undoings.push({ what, undo }),
    };
    const outcomes = await runSection(section, lab);
    const dated = Object.entries(outcomes).map(([id, outcome]) => [
      id,
      { ...outcome, date, api_version: [...versions].at(-1) ?? apiVersion },
    ]);
    onSection({ name: section.name, verdicts: Object.fromEntries(dated), left: await cleanUp(undoings) });
  }
}

/** The outcome of each check. If the section cannot be prepared, nothing of it can be tested. */
async function runSection(section: Section, lab: Lab): Promise<Record<string, Outcome>> {
  const checks = Object.entries(section.checks);
  const all = (outcome: Outcome) => Object.fromEntries(checks.map(([id]) => [id, outcome]));
  const missing = section.needs.filter((need) => lab.subjects[need] === undefined);
  if (missing.length > 0) return all(untestable(`needs ${missing.map(flagOf).join(" and ")}`));
  try {
    const context = await section.prepare(lab);
    const outcomes: Record<string, Outcome> = {};
    for (const [id, check] of checks) outcomes[id] = await settle(() => check(context));
    return outcomes;
  } catch (error) {
    return all(untestable(messageOf(error)));
  }
}

function flagOf(need: Section["needs"][number]): string {
  return `--${need.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
