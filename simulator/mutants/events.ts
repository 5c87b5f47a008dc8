import { edit, type Mutant, schema } from "./edits.ts";

const endpoints = "src/domain/webhook-endpoints";

/** Bugs in what endpoints are sent: events lost, sent too early, under another id, or held up by another endpoint. */
export const eventMutants: Mutant[] = [
  {
    name: "sent before the commit",
    what: "a change is sent to endpoints before its batch, which may fail",
    edits: [
      edit(
        "src/kit/journal/write.ts",
        "    const entryIds = statements.filter(isEntry).map(({ entry_id }) => entry_id);\n",
        `    const entryIds = statements.filter(isEntry).map(({ entry_id }) => entry_id);
    const { rows: early } = (await ctx.db.batch([{ sql: "SELECT url FROM webhook_endpoints WHERE account_seq = ? AND is_enabled = 1", params: [ctx.account.seq] }], "read"))[0]!;
    for (const { url } of early as { url: string }[])
      await ctx.network
        .fetch(url, { method: "POST", headers: { "webhook-id": entryIds[0]! }, body: '{"type":"early"}', redirect: "manual" })
        .catch(() => undefined);
`,
      ),
    ],
    rule: "no event before its commit, and under its id",
  },
  {
    name: "a new id per try",
    what: "webhook-id is another with each try",
    edits: [edit(`${endpoints}/deliver.ts`, "id: delivery.event_id, body", "id: ctx.newId(), body")],
    rule: "no event before its commit, and under its id",
  },
  {
    name: "the trigger misses one action",
    what: "no delivery is made of a success",
    edits: [
      edit(
        schema,
        "is_enabled = 1 AND EXISTS",
        "is_enabled = 1 AND NEW.type <> 'billing.succeeded' AND EXISTS",
      ),
    ],
    rule: "every event is delivered",
  },
  {
    name: "only the first endpoint is swept",
    what: "while something waits for one endpoint, no lost message of another is sent again",
    edits: [
      edit(
        `${endpoints}/outbox.ts`,
        "FROM pending WHERE pending.endpoint_id IS NOT NULL)",
        "FROM pending WHERE 0)",
      ),
    ],
    rule: "no endpoint waits for another",
  },
  {
    name: "disabled by two failures",
    what: "an endpoint that fails twice in a row is sent nothing any more",
    edits: [edit(`${endpoints}/outcome.ts`, "later(now, -failingMs);", "now;")],
    rule: "no endpoint is disabled too soon",
  },
  {
    name: "lost with whoever sends it",
    what: "the lease of a delivery never ends",
    edits: [
      edit(
        `${endpoints}/outbox.ts`,
        "account.seq, realNow, later(realNow, leaseMs), endpointId)",
        'account.seq, realNow, leaseMs > 0 ? "9999-01-01T00:00:00.000Z" : "", endpointId)',
      ),
    ],
    rule: "every event is delivered",
  },
  {
    name: "a failure is taken for an acceptance",
    what: "an answer of 429 ends the delivery",
    edits: [
      edit(
        `${endpoints}/attempt.ts`,
        "  if (ok) return null;\n",
        "  if (ok || status === 429) return null;\n",
      ),
    ],
    rule: "what is delivered was accepted",
  },
  {
    name: "redirects are followed",
    what: "an endpoint leads requests to an address inside",
    edits: [edit(`${endpoints}/attempt.ts`, 'redirect: "manual"', 'redirect: "follow"')],
    rule: "events go to endpoints alone",
  },
  {
    name: "an answer is read to its end",
    what: "a gigabyte is read",
    edits: [edit(`${endpoints}/attempt.ts`, "const bodyBytesMax = 4096;", "const bodyBytesMax = 1e9;")],
    rule: "little is read of an answer",
  },
  {
    name: "a recovery ends after its first part",
    what: "events about profiles and the account are recovered, and none about subscriptions",
    edits: [edit(`${endpoints}/recover.ts`, "'is_fed', json('true')", "'is_fed', json('false')")],
    rule: "every event is delivered",
    times: 3,
  },
  {
    name: "another account's events",
    what: "an endpoint is sent the events of all accounts",
    edits: [
      edit(
        schema,
        "    WHERE account_seq = NEW.account_seq AND is_enabled = 1 AND EXISTS (",
        "    WHERE is_enabled = 1 AND EXISTS (",
      ),
    ],
    times: 3,
  },
];
