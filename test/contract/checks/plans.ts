import { expect } from "vitest";
import { scansOf } from "../../support/plans.ts";
import type { Check, Walk } from "./check.ts";

/** A walk that also tells the SQL of the statements that the operation's first request has brought about. */
export type PlannedWalk = Walk & { statements: () => Promise<string[]> };

export const planChecks: Record<string, Check<PlannedWalk>> = {
  "no statement scans a tenant's table, nor all rows of an account": {
    async run(_, { statements }) {
      expect(await scansOf(await statements())).toEqual([]);
    },
  },
};
