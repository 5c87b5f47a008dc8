import { relative } from "node:path";
import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";

/** About how many seconds the longest files take. A fresh clone has no earlier run that would say so. */
const seconds: Record<string, number> = {
  "test/node/smtp/sessions.test.ts": 45,
  "test/scale/bounds.test.ts": 35,
  "test/contract/walk.test.ts": 30,
  "test/contract/fuzz.test.ts": 27,
  "test/operator/import.test.ts": 32,
  "test/operator/move.test.ts": 27,
  "test/billing/simulator.test.ts": 23,
  "test/billing/upcoming-states.test.ts": 17,
  "test/undo/identity.test.ts": 20,
  "test/undo/undo.test.ts": 30,
  "test/operator/deletion.test.ts": 14,
  "test/operator/move-killed.test.ts": 22,
  "test/node/commands.test.ts": 8,
  "test/browser/actions.test.ts": 19,
  "test/browser/contents.test.ts": 18,
  "test/browser/mails.test.ts": 18,
  "test/browser/leaving.test.ts": 14,
  "test/browser/states.test.ts": 9,
  "test/browser/cards.test.ts": 8,
  "test/browser/stripe.test.ts": 7,
  "test/contract/messages.test.ts": 19,
  "test/mcp/walk.test.ts": 15,
  "src/base/db/list/listing.test.ts": 15,
  "test/operations/model.test.ts": 15,
  "test/exports/round-trip.test.ts": 12,
  "test/stripe/lost-answers.test.ts": 14,
  "test/shopify/payment-update.test.ts": 14,
  "test/browser/looks.test.ts": 17,
  "test/scale/writes.test.ts": 11,
  "test/shopify/failures.test.ts": 10,
  "test/webhooks/permutations.test.ts": 10,
  "test/settings/test-clock-runs.test.ts": 10,
  "test/shopify/challenges.test.ts": 9,
  "test/billing/dry-run-charges.test.ts": 9,
  "test/profiles/upload-limits.test.ts": 9,
  "test/node/account-objects.test.ts": 8,
  "test/scale/pages.test.ts": 8,
  "test/shopify/sync-by-calculation.test.ts": 8,
  "test/webhooks/unsupported-contracts.test.ts": 8,
  "test/mcp/results.test.ts": 7,
  "test/billing/switches.test.ts": 6,
  "test/node/bytes.test.ts": 6,
  "test/node/seed.test.ts": 6,
};

/** The longest files of each project begin first, so that no processor waits for one at the end. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const secondsOf = ({ moduleId }: TestSpecification) =>
      seconds[relative(this.ctx.config.root, moduleId)] ?? 0;
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((its) =>
      sorted.filter(({ project }) => project === its).sort((a, b) => secondsOf(b) - secondsOf(a)),
    );
  }
}
