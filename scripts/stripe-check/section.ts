import type { Checks } from "../store-check/run.ts";
import type { Lab } from "./lab.ts";

/** A part of the check. */
export type Section<Context = unknown> = Checks<Lab, Context> & {
  name: string;
  /** The records that it makes, and what stays of them. */
  writes: string;
};

/** A section with a context of its own, as one among the others. */
export function section<Context>(one: Section<Context>): Section {
  return one as Section;
}
