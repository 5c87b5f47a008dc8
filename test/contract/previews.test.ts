/** Each operation that has previews does exactly as one has shown, or nothing. */
import { expect, test } from "vitest";
import { execute } from "../support/database.ts";
import { each, type Operation, operations } from "../support/document.ts";
import { rowsOf } from "../support/snapshot.ts";
import { call, openWorld, paramsOf, queryOf, type World } from "../support/world.ts";

function hasPreviews({ parameters = [] }: Operation): boolean {
  return parameters.some(({ name }) => name === "If-Preview");
}

/** Its dry run makes a job: test/domain/bulk/previews.test.ts. */
const isByJob = ({ operationId }: Operation) => operationId === "changeManySubscriptions";
const previewed = each().filter(([, operation]) => hasPreviews(operation) && !isByJob(operation));

function dryRun(operation: Operation, of: World, ifPreview?: string) {
  return call(operation, of, {
    query: { ...queryOf(operation, of), dry_run: "true" },
    ...withPreview(ifPreview),
  });
}

function withPreview(preview: string | undefined) {
  return preview === undefined ? {} : { headers: { "If-Preview": preview } };
}

const wrong = `"${"0".repeat(64)}"`;

test.each(previewed)(
  "%s is done as its dry run has shown, and otherwise not at all",
  async (_, operation) => {
    const of = await openWorld();
    const before = await rowsOf(of.tenant.account.id);
    const dry = await dryRun(operation, of);
    const preview = dry.headers.get("Preview") ?? "none";
    expect([dry.status, preview]).toEqual([200, expect.stringMatching(/^"[0-9a-f]{64}"$/)]);
    expect((await dryRun(operation, of)).headers.get("Preview")).toBe(preview);

    const other = await call(operation, of, withPreview(wrong));
    expect(other).toMatchObject({ status: 409, body: { errorCode: "PREVIEW_CHANGED" } });
    expect(other.headers.get("Preview")).toBe(preview);
    expect(Object.keys((other.body as { preview: object }).preview)).toEqual(Object.keys(dry.body as object));
    expect(await rowsOf(of.tenant.account.id)).toBe(before);

    const done = await call(operation, of, withPreview(preview));
    expect([operation.operationId, done.status]).toEqual([
      operation.operationId,
      expect.toBeOneOf([200, 201, 202, 204]),
    ]);
  },
);

test("each mutation either has previews, or is one of these, which change no more than they name", () => {
  const without = operations.filter((one) => one.method !== "GET" && !hasPreviews(one));
  expect(without.map(({ operationId }) => operationId).sort()).toEqual(unpreviewed.toSorted());
  expect(operations.filter((one) => one.method === "GET" && hasPreviews(one))).toEqual([]);
});

test("an If-Preview that is not one hash in quotes, or is for an operation without previews, is 400", async () => {
  const of = await openWorld();
  const [pause, reason] = ["pauseSubscription", "createSkipReason"].map(
    (id) => operations.find(({ operationId }) => operationId === id)!,
  );
  const hash = "0".repeat(64);
  for (const header of ["*", hash, `W/"${hash}"`, `"${hash}", "${hash}"`, `"${hash.toUpperCase()}x"`, '""']) {
    const refused = await call(pause!, of, { headers: { "If-Preview": header } });
    expect([header, refused]).toMatchObject([
      header,
      { status: 400, body: { details: [{ path: "If-Preview" }] } },
    ]);
  }
  const unknown = await call(reason!, of, { headers: { "If-Preview": wrong } });
  expect(unknown).toMatchObject({ status: 400, body: { details: [{ path: "If-Preview" }] } });
});

test("what somebody else has changed since is shown anew, and nothing is done", async () => {
  const of = await openWorld();
  const byId = (id: string) => operations.find(({ operationId }) => operationId === id)!;
  const skip = byId("skipSubscription");
  const preview = (await dryRun(skip, of)).headers.get("Preview")!;
  const moved = await call(byId("changeFrequency"), of, { body: { interval: "WEEK", interval_count: 7 } });
  expect(moved.status).toBe(200);
  const before = await rowsOf(of.tenant.account.id);
  const refused = await call(skip, of, { headers: { "If-Preview": preview } });
  expect(refused).toMatchObject({
    status: 409,
    body: { errorCode: "PREVIEW_CHANGED", preview: { data: { frequency_label: "Every 7 weeks" } } },
  });
  expect(await rowsOf(of.tenant.account.id)).toBe(before);
  const anew = refused.headers.get("Preview")!;
  expect((await call(skip, of, { headers: { "If-Preview": anew } })).status).toBe(200);
});

test("a change of a plan, a slot or a day shows how many subscriptions it concerns, and is refused where these are others", async () => {
  const of = await openWorld();
  const byId = (id: string) => operations.find(({ operationId }) => operationId === id)!;
  const counted = ["updateSellingPlan", "updateDeliverySlot", "updateDeliveryDay"].map(byId);
  const deleted = ["deleteDeliverySlot", "deleteDeliveryDay"].map(byId);
  const living = `status IN ('ACTIVE', 'PAUSED', 'PAYMENT_FAILED') AND account_seq = (SELECT seq FROM accounts WHERE id = ?)`;
  for (const operation of [...counted, ...deleted]) {
    const dry = await dryRun(operation, of);
    expect([operation.operationId, dry.body]).toEqual([
      operation.operationId,
      { data: expect.any(Object), affected: expect.any(Number) },
    ]);
  }
  const [plan, slot] = counted;
  const [planId, slotId] = [plan!, slot!].map((one) => String(paramsOf(one, of).id));
  await execute(
    `UPDATE subscriptions SET delivery_slot_id = ? WHERE ${living}`,
    slotId!,
    of.tenant.account.id,
  );
  await execute(
    `INSERT INTO subscription_contents (account_seq, kind, value, subscription_id)
      SELECT account_seq, 'plan', ?, id FROM subscriptions WHERE ${living} ON CONFLICT DO NOTHING`,
    ...[planId!, of.tenant.account.id],
  );
  const shown = [await dryRun(plan!, of), await dryRun(slot!, of)];
  expect(shown.map(({ body }) => (body as { affected: number }).affected)).not.toContain(0);
  await execute(`UPDATE subscriptions SET status = 'EXPIRED' WHERE ${living}`, of.tenant.account.id);
  for (const [nth, operation] of [plan!, slot!].entries()) {
    const refused = await call(operation, of, withPreview(shown[nth]!.headers.get("Preview")!));
    expect(refused).toMatchObject({ status: 409, body: { preview: { affected: 0 } } });
  }
});

/** Settings, reasons, what is sent to others, and what is staged; some have a check by dry_run. */
const unpreviewed = [
  ...[
    "createToken",
    "updateAccount",
    "advanceTestClock",
    "answerDeclaration",
    "connectStore",
    "disconnectStore",
    "uploadProfiles",
  ],
  ...[
    "startGoodsForecast",
    "pauseJob",
    "resumeJob",
    "cancelJob",
    "createImport",
    "putImportPart",
    "createExport",
  ],
  ...["createActivityLog", "createWebhookEndpoint", "updateWebhookEndpoint", "deleteWebhookEndpoint"],
  ...["rotateWebhookEndpointSecret", "testWebhookEndpoint", "recoverWebhookEndpoint", "resendEventDelivery"],
  ...["Skip", "Pause", "Cancellation"].flatMap((kind) => [
    ...[`create${kind}Reason`, `update${kind}Reason`, `delete${kind}Reason`, `reorder${kind}Reasons`],
  ]),
  ...[
    "updatePortalSettings",
    "updateCatalogue",
    "updateCancellationFlow",
    "updateMailSettings",
    "sendTestMail",
  ],
  ...["updateMailTemplate", "deleteMailTemplate", "previewMail", "resendMail"],
  ...[
    "createPortalSession",
    "createStoreSession",
    "endPortalSessions",
    "updateOwnProfile",
    "beginOwnPaymentMethod",
  ],
  ...["completeOwnPaymentMethod", "receiveShopifyWebhook", "receiveStripeWebhook", "receiveMailWebhook"],
  ...["createStaffMember", "updateStaffMember", "deleteStaffMember", "inviteStaffMember"],
  ...["createApiKey", "deleteApiKey"],
  ...["mcp", "mcpReadonly"],
];
