/** GET /metrics says what a tick has seen, to operators alone; the rules of alerts name nothing that it does not have. */
import { expect, test } from "vitest";
import rules from "../../../ops/alerts.yml?raw";
import type { Bindings } from "../../../src/base/env.ts";
import { minuteMs } from "../../../src/base/lib/time/durations.ts";
import type { Figures } from "../../../src/edges/health/figures.ts";
import { alertOf } from "../../../src/edges/health/heartbeat.ts";
import { deployment, nobody } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import { logged, tickAt } from "../../support/jobs.ts";
import { deliver, force, inDays, type Json } from "../../support/shops.ts";
import { attemptsOf, linked, shipNow, useShop } from "../../support/worker.ts";
import { queueOf } from "./queue.ts";

const OPERATOR_KEY = "an-operators-key-of-more-than-32-characters";
const operator = { credentials: { Authorization: `Bearer ${OPERATOR_KEY}` } };
const { shop, worker } = useShop();

async function metrics(overrides: Partial<Bindings> = {}): Promise<Map<string, number>> {
  const { status, headers, text } = await deployment({ OPERATOR_KEY, ...overrides })(
    operator,
    "GET",
    "/metrics",
  );
  expect([status, headers.get("Content-Type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
}

/** A tick's line in the log, of a deployment with these queues. */
async function tickOf(overrides: Partial<Bindings> = {}): Promise<{ lines: Json[]; sent: Json[] }> {
  let sent: Json[] = [];
  const lines = await logged(async () => {
    sent = await tickAt(Date.now(), { ...worker.bindings, ...overrides });
  });
  return { lines, sent };
}

test("whoever has not the operator's key is told that there is no such path", async () => {
  const ask = deployment({ OPERATOR_KEY });
  const answers = [
    await ask(nobody, "GET", "/metrics"),
    await ask({ credentials: { Authorization: "Bearer no" } }, "GET", "/metrics"),
    await ask(shop.api, "GET", "/metrics"),
    await deployment({})(operator, "GET", "/metrics"),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
});

test("a tick writes one row and one line, and its figures are what /metrics says", async () => {
  const { lines } = await tickOf();
  const [line] = lines.filter(({ event }) => event === "tick");
  expect(line).toMatchObject({ failed: [], attempts_review: 0, dead_letters_hour: 0 });
  const before = Date.now() / 1000;
  const all = await metrics();
  expect(before - (all.get("perennial_tick_last_seconds") ?? 0)).toBeLessThan(60);
  expect(all.get("perennial_tick_failed_parts")).toBe(0);
  expect(all.get('perennial_due_oldest_seconds{kind="billing"}')).toBe(line?.due_billing_seconds);
});

test("what is due is so old as its day in the account's zone", async () => {
  const id = await linked(shop, worker, { next_delivery_date: inDays(7) });
  await force(id, { next_billing_date: inDays(-1), next_delivery_date: inDays(-1), anchor_date: inDays(-1) });
  await tickOf();
  const seconds = (await metrics()).get('perennial_due_oldest_seconds{kind="billing"}') ?? 0;
  expect(seconds).toBeGreaterThan(86_400);
  expect(seconds).toBeLessThan(3 * 86_400);
  await worker.drain();
});

test("charges of the last hour stand by their outcome, beside those that a store leaves unanswered", async () => {
  const id = await linked(shop, worker, { next_delivery_date: inDays(30) });
  await tickOf();
  const before = await metrics();
  await shipNow(shop, worker, id);
  await worker.drain();
  const [attempt] = await attemptsOf(shop, id);
  expect(attempt?.status).toBe("SUCCEEDED");
  await tickOf();
  const succeeded = 'perennial_charges_hour{outcome="succeeded"}';
  expect((await metrics()).get(succeeded)).toBe((before.get(succeeded) ?? 0) + 1);

  await execute(
    `UPDATE billing_attempts SET settled_at = NULL, status = 'PROCESSING', unanswered = 3, open_since = requested_at,
      requested_at = ?`,
    new Date(Date.now() - 180 * minuteMs).toISOString(),
  );
  await tickOf();
  const stuck = await metrics();
  expect(stuck.get("perennial_attempts_unanswered")).toBeGreaterThan(0);
  expect(stuck.get("perennial_attempts_oldest_seconds")).toBeGreaterThanOrEqual(180 * 60);
  await execute(
    "UPDATE billing_attempts SET settled_at = updated_at, status = 'SUCCEEDED', next_action_at = NULL",
  );
});

test.each<[Partial<Figures>, string[]]>([
  [{ attempts_unanswered: 20, mails_failing_seconds: 899 }, []],
  [{ attempts_unanswered: 21 }, ["store_silent"]],
  [{ mails_failing: 1, mails_failing_seconds: 900 }, ["mails_failing"]],
])("a tick that has seen %j alerts of %j", (seen, alerts) => {
  const figures = { attempts_unanswered: 0, mails_failing: 0, mails_failing_seconds: 0, ...seen } as Figures;
  const lines: [string, unknown][] = [];
  alertOf((event, fields) => void lines.push([event, fields?.alert]), figures);
  expect(lines).toEqual(alerts.map((event) => [event, true]));
});

test("a message that was given up is counted for an hour", async () => {
  const job = { type: "charge", account_id: shop.of.account.id, attempt_id: crypto.randomUUID() };
  const lines = await logged(() =>
    deliver([job], { queue: "perennial-jobs-dlq", bindings: worker.bindings }),
  );
  expect(lines).toMatchObject([{ event: "dead_letter", alert: true, body: job }]);
  await tickOf();
  expect((await metrics()).get("perennial_dead_letters_hour")).toBe(1);
  await execute("UPDATE dead_letters SET at = ?", new Date(Date.now() - 61 * minuteMs).toISOString());
  await tickOf();
  expect((await metrics()).get("perennial_dead_letters_hour")).toBe(0);
});

test("nothing is sent to a queue whose consumer stands still, but for every tenth minute, as one message that waits looks the same", async () => {
  const id = await linked(shop, worker, { next_delivery_date: inDays(7) });
  await force(id, { next_billing_date: inDays(0), next_delivery_date: inDays(0), anchor_date: inDays(0) });
  const sentAt = async (minutes: number) => {
    const JOBS = queueOf((minutes + 0.5) * minuteMs);
    const lines = await logged(async () => void (await tickAt(Date.now(), { ...worker.bindings, JOBS })));
    return { sent: JOBS.sent.length, held: lines.filter(({ event }) => event === "queue_held").length };
  };
  expect(await sentAt(1)).toMatchObject({ held: 0 });
  expect((await sentAt(1)).sent).toBeGreaterThan(0);
  for (const minutes of [2, 9, 11, 59])
    expect({ minutes, ...(await sentAt(minutes)) }).toEqual({ minutes, sent: 0, held: 1 });
  for (const minutes of [10, 60]) expect((await sentAt(minutes)).sent).toBeGreaterThan(0);
});

test("every name of the rules for alerts is one of /metrics", async () => {
  await tickOf();
  const names = new Set([...(await metrics()).keys()].map((key) => key.replace(/\{.*/, "")));
  const used = [...rules.matchAll(/perennial_[a-z_]+/g)].map(([name]) => name);
  expect(used.length).toBeGreaterThan(15);
  expect([...new Set(used)].filter((name) => !names.has(name))).toEqual([]);
  expect(names.size).toBeGreaterThanOrEqual(19);
});
