import { relative } from "node:path";
import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";

/** About how many seconds the longest files take. A fresh clone has no earlier run that would say so. */
const seconds: Record<string, number> = {
  "test/domain/mail/smtp/sessions.node.test.ts": 45,
  "test/scale/bounds.test.ts": 90,
  "test/host/drill.node.test.ts": 90,
  "test/host/smtp.node.test.ts": 45,
  "test/contract/walk.test.ts": 30,
  "test/contract/fuzz.test.ts": 27,
  "test/edges/operator/import.test.ts": 32,
  "test/edges/operator/move.test.ts": 27,
  "test/domain/billing/simulator.test.ts": 23,
  "test/domain/billing/upcoming-states.test.ts": 17,
  "test/domain/subscriptions/undo/identity.test.ts": 20,
  "test/domain/subscriptions/undo/undo.test.ts": 30,
  "test/edges/operator/deletion.test.ts": 14,
  "test/edges/operator/move-killed.test.ts": 22,
  "test/tools/commands.test.ts": 8,
  "test/browser/docs-page.test.ts": 40,
  "test/browser/actions.test.ts": 19,
  "test/browser/contents.test.ts": 18,
  "test/browser/mails.test.ts": 18,
  "test/browser/leaving.test.ts": 14,
  "test/browser/states.test.ts": 9,
  "test/browser/cards.test.ts": 8,
  "test/browser/stripe.test.ts": 7,
  "test/browser/guides.test.ts": 8,
  "test/contract/messages.test.ts": 19,
  "test/edges/mcp/walk.test.ts": 15,
  "src/base/db/list/listing.test.ts": 25,
  "test/scale/search.test.ts": 25,
  "test/scale/renewals.test.ts": 15,
  "test/domain/goods/runs.test.ts": 14,
  "test/host/commands.node.test.ts": 14,
  "test/host/versions.node.test.ts": 14,
  "test/domain/subscriptions/model.test.ts": 15,
  "test/domain/exports/round-trip.test.ts": 12,
  "test/stores/stripe/lost-answers.test.ts": 14,
  "test/stores/shopify/payment-update.test.ts": 14,
  "test/browser/looks.test.ts": 17,
  "test/scale/writes.test.ts": 11,
  "test/stores/shopify/failures.test.ts": 10,
  "test/edges/webhooks/permutations.test.ts": 10,
  "test/edges/settings/test-clock-runs.test.ts": 10,
  "test/stores/shopify/challenges.test.ts": 9,
  "test/domain/billing/dry-run-charges.test.ts": 9,
  "test/domain/profiles/upload-limits.test.ts": 9,
  "test/tools/account-objects.test.ts": 8,
  "test/scale/pages.test.ts": 8,
  "test/stores/shopify/sync-by-calculation.test.ts": 8,
  "test/edges/webhooks/unsupported-contracts.test.ts": 8,
  "test/edges/mcp/results.test.ts": 7,
  "test/domain/billing/switches.test.ts": 6,
  "test/scale/bytes.node.test.ts": 6,
  "test/tools/seed.test.ts": 6,
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
