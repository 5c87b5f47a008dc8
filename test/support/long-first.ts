import { relative } from "node:path";
import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";

/** About how many seconds the longest files take. A fresh clone has no earlier run that would say so. */
const seconds: Record<string, number> = {
  "test/host/drill.node.test.ts": 85,
  "test/scale/bounds.test.ts": 75,
  "test/domain/mail/smtp/sessions.node.test.ts": 35,
  "test/browser/actions.test.ts": 33,
  "test/host/smtp.node.test.ts": 31,
  "test/tools/account-objects.test.ts": 26,
  "test/browser/docs-page.test.ts": 25,
  "test/contract/walk.test.ts": 22,
  "test/domain/subscriptions/as-of.test.ts": 22,
  "test/browser/contents.test.ts": 21,
  "test/browser/looks.test.ts": 20,
  "test/browser/leaving.test.ts": 20,
  "test/domain/billing/simulator.test.ts": 20,
  "test/browser/console.test.ts": 16,
  "test/domain/subscriptions/undo/identity.test.ts": 16,
  "test/contract/fuzz.test.ts": 15,
  "test/browser/mails.test.ts": 14,
  "test/domain/billing/upcoming-states.test.ts": 12,
  "test/scale/webhooks.test.ts": 12,
  "test/scale/renewals.test.ts": 12,
  "test/browser/declaring.test.ts": 11,
  "test/tools/deployed.test.ts": 11,
  "test/edges/operator/move-killed.test.ts": 11,
  "test/domain/goods/runs.test.ts": 11,
  "test/edges/operator/import.test.ts": 11,
  "test/tools/commands.test.ts": 11,
  "test/browser/states.test.ts": 10,
  "test/edges/operator/move.test.ts": 10,
  "test/host/versions.node.test.ts": 10,
  "test/stores/shopify/failures.test.ts": 9,
  "test/scale/search.test.ts": 9,
  "test/browser/support.test.ts": 9,
  "test/contract/width.test.ts": 9,
  "src/base/db/list/listing.test.ts": 9,
  "test/browser/charges.test.ts": 9,
  "test/storage/worker-on-libsql.node.test.ts": 8,
  "test/edges/mcp/walk.test.ts": 8,
  "test/contract/messages.test.ts": 7,
  "test/host/commands.node.test.ts": 7,
  "test/scale/pages.test.ts": 7,
  "test/edges/settings/test-clock-runs.test.ts": 7,
  "test/domain/profiles/upload-limits.test.ts": 7,
  "test/tools/seed.test.ts": 7,
  "test/tools/install.test.ts": 7,
  "test/domain/mail/year.test.ts": 6,
  "test/runtime/objects/walk.test.ts": 6,
  "test/domain/goods/proof.test.ts": 6,
  "test/tools/shopify-check.test.ts": 6,
  "test/host/http.node.test.ts": 6,
  "test/edges/webhooks/unheard-challenges.test.ts": 6,
  "test/domain/imports/pages.test.ts": 6,
  "test/scale/jobs.test.ts": 6,
  "test/domain/subscriptions/undo/undo.test.ts": 6,
  "test/tools/simulate.test.ts": 6,
  "test/stores/stripe/lost-answers.test.ts": 6,
  "test/edges/portal/sign-in.test.ts": 5,
  "test/browser/stripe.test.ts": 5,
  "test/edges/webhooks/redact-shop.test.ts": 5,
  "test/domain/bulk/jobs.test.ts": 5,
  "test/domain/mail/told-in-time.test.ts": 5,
  "test/domain/billing/reconcile.test.ts": 5,
  "test/edges/webhooks/checkout-prices.test.ts": 5,
  "test/domain/imports/no-charge-before.test.ts": 5,
  "test/edges/operator/deletion.test.ts": 5,
};

/** The projects with the longest files begin first, and of each its longest, so that no processor waits for one at the end. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const secondsOf = ({ moduleId }: TestSpecification) =>
      seconds[relative(this.ctx.config.root, moduleId)] ?? 0;
    const longestFirst = (await super.sort(files)).sort((a, b) => secondsOf(b) - secondsOf(a));
    return [...Map.groupBy(longestFirst, ({ project }) => project).values()].flat();
  }
}
