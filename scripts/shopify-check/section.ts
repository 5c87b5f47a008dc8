import type { Outcome } from "../store-check/outcome.ts";
import type { Lab } from "./lab.ts";
import type { SectionName } from "./section-names.ts";

/** A part of the check. */
export type Section<Context = unknown> = {
  name: SectionName;
  /** Each mutation that it may send, by its operation, and what that writes. */
  writes: Record<string, string>;
  /** The records of the store that it uses, which have to be given. */
  needs: ("customer" | "variant" | "paymentMethod" | "soldContract")[];
  prepare: (lab: Lab) => Promise<Context>;
  /** By the id of the assumption that a check is about, in the order in which they run. */
  checks: Record<string, (context: Context) => Promise<Outcome>>;
};

/** A section with a context of its own, as one among the others. */
export function section<Context>(one: Section<Context>): Section {
  return one as Section;
}
