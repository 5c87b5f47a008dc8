import { z } from "zod";

const assumed = {
  id: z.string().regex(/^[a-z0-9-]+$/),
  area: z.string(),
  assumption: z.string(),
  source: z.string(),
  used_in: z.string(),
};

const verdictSchema = z.strictObject({
  verdict: z.enum(["confirmed", "contradicted", "not testable"]),
  note: z.string(),
  date: z.iso.date(),
  api_version: z.string(),
});

const fileSchema = z.strictObject({
  assumptions: z.array(
    z.union([
      /** The part of the check that settles it. */
      z.strictObject({ ...assumed, settled_by: z.string() }),
      z.strictObject({ ...assumed, settled_by: z.null(), why_not: z.string().min(1) }),
    ]),
  ),
  /** Those of the newest check of each assumption, by its id. */
  verdicts: z.record(z.string(), verdictSchema),
});

/** The assumptions about a store, as the assumptions.json of its check has them, and the verdicts about them. */
export type AssumptionsFile = z.output<typeof fileSchema>;
export type Assumption = AssumptionsFile["assumptions"][number];
export type Verdict = z.output<typeof verdictSchema>;

/** Reads the file's text. Throws for two assumptions of one id, for a part that no check has, and for a verdict about none. */
export function parseAssumptions(text: string, sectionNames: readonly string[]): AssumptionsFile {
  const file = fileSchema.parse(JSON.parse(text));
  const ids = new Set(file.assumptions.map(({ id }) => id));
  if (ids.size < file.assumptions.length) throw new Error("Two assumptions have the same id");
  const unknown = Object.keys(file.verdicts).filter((id) => !ids.has(id));
  if (unknown.length > 0) throw new Error(`There is no assumption ${unknown.join(", ")}`);
  for (const { settled_by: section } of file.assumptions)
    if (section !== null && !sectionNames.includes(section))
      throw new Error(`No check has a part ${section}`);
  return file;
}

export function writeAssumptions(file: AssumptionsFile): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** The file with these verdicts. The verdicts about other assumptions stay. */
export function withVerdicts(file: AssumptionsFile, verdicts: Record<string, Verdict>): AssumptionsFile {
  const all = { ...file.verdicts, ...verdicts };
  const ordered = file.assumptions.flatMap(({ id }) => (all[id] ? [[id, all[id]] as const] : []));
  return { ...file, verdicts: Object.fromEntries(ordered) };
}

/** Whether any part of it is a guess: it may have a source for the rest. */
export function isGuess({ source }: Pick<Assumption, "source">): boolean {
  return /\bguess\b/.test(source);
}
