import { apiVersion, type ShopAccess } from "../../src/stores/shopify/client.ts";
import type { Verdict } from "../store-check/assumptions.ts";
import { type Outcome, untestable } from "../store-check/outcome.ts";
import { cleanUp, runChecks, type Undoing } from "../store-check/run.ts";
import { readDevelopmentPlan } from "./documents.ts";
import { type Lab, openLab, type Shop, type Subjects } from "./lab.ts";
import type { Section } from "./section.ts";
import type { SectionName } from "./section-names.ts";

export type Run = {
  connection: ShopAccess;
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
    const undoings: Undoing[] = [];
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

/** The outcome of each check of a section, which may need records that were not given. */
async function runSection(section: Section, lab: Lab): Promise<Record<string, Outcome>> {
  const missing = section.needs.filter((need) => lab.subjects[need] === undefined);
  const needed = missing.length > 0 ? untestable(`needs ${missing.map(flagOf).join(" and ")}`) : undefined;
  return runChecks(section, lab, needed);
}

function flagOf(need: Section["needs"][number]): string {
  return `--${need.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
