/** A passing failure of the database is not noticed, and a lasting one is answered with 503 and leaves nothing half done. */
import { describe, expect, test } from "vitest";
import { deployment, type RequestOptions } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { logged } from "../../support/jobs.ts";
import { actionsOf, inDays, itemOf, type Json, on, subscribe } from "../../support/shops.ts";
import { interrupted } from "../../support/slow-database.ts";
import { useShop } from "../../support/worker.ts";

const { shop, worker } = useShop();

const words = [
  "D1_ERROR: Failed to get session commit token: internal error",
  "D1_ERROR: Network connection lost.",
  "D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.",
];
const moments = ["before", "after"] as const;
/** More trips than a request makes. */
const tripsMax = 6;

type Request = { method: string; path: string; status: number; body?: object; action?: string };

/** Requests of each kind: what each answers, and the entry that it leaves once. */
const requests: Record<string, () => Promise<Request>> = {
  "a list": async () => ({ method: "GET", path: "/api/subscriptions", status: 200 }),
  "a creation": async () => ({
    method: "POST",
    path: "/api/subscriptions",
    status: 201,
    action: "subscription_created",
    body: {
      profile_id: shop.profileId,
      store_payment_method_id: "pm_success",
      next_delivery_date: inDays(30),
      lines: [itemOf(shop.plan)],
    },
  }),
  "a skip": async () => ({
    method: "POST",
    path: on(await subscribe(shop), "skip"),
    status: 200,
    action: "subscription_skipped",
    body: { skip_weeks: 1 },
  }),
  "a pause": async () => ({
    method: "POST",
    path: on(await subscribe(shop), "pause"),
    status: 200,
    action: "subscription_paused",
  }),
  "an integration's entry": async () => ({
    method: "POST",
    path: "/api/activity-logs",
    status: 201,
    action: "integration_seen",
    body: { loggable_type: "subscription", loggable_id: await subscribe(shop), action: "integration_seen" },
  }),
};

/** The deployment whose nth trip to the database fails once, before or after it has taken effect. */
function failingOnce(nth: number, moment: (typeof moments)[number], message: string) {
  let trips = 0;
  let failures = 0;
  const hook = async () => {
    if (++trips !== nth) return;
    failures++;
    throw new Error(message);
  };
  const call = deployment({ ...worker.bindings, DB: interrupted(/./, { [moment]: hook }) });
  return { call, hasFailed: () => failures === 1 };
}

async function entriesOf(action: string | undefined): Promise<Json[]> {
  return select(
    "SELECT loggable_id FROM activity_logs WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND action = ?",
    ...[shop.of.account.id, action ?? ""],
  );
}

describe.each(moments)("one trip to the database fails %s it takes effect", (moment) => {
  test.each(Object.keys(requests))(
    "%s is answered as if nothing had happened, and takes effect once",
    async (name) => {
      for (let nth = 1; nth <= tripsMax; nth++) {
        const { method, path, status, body, action } = await requests[name]!();
        const before = await entriesOf(action);
        const { call, hasFailed } = failingOnce(nth, moment, words[nth % words.length]!);
        const options: RequestOptions = {
          body,
          headers: method === "GET" ? {} : { "Idempotency-Key": `${moment} ${name} ${nth}` },
        };
        const answer = await call(shop.admin, method, path, options);
        expect([answer.status, answer.text.slice(0, 300)]).toEqual([status, expect.anything()]);
        const added = (await entriesOf(action)).length - before.length;
        expect(added).toBe(action === undefined ? 0 : 1);
        const again = await call(shop.admin, method, path, options);
        expect([again.status, (await entriesOf(action)).length - before.length]).toEqual([status, added]);
        if (!hasFailed()) return;
      }
      throw new Error("a trip is left that did not fail");
    },
  );
});

test("a database that stays away answers 503 with Retry-After, and leaves nothing half done", async () => {
  const id = await subscribe(shop);
  const gone = () => Promise.reject(new Error("D1_ERROR: Network connection lost."));
  const call = deployment({ ...worker.bindings, DB: interrupted(/./, { before: gone }) });
  for (const [method, path] of [
    ["GET", "/api/subscriptions"],
    ["POST", on(id, "pause")],
  ] as const) {
    const answer = await call<Json>(shop.admin, method, path);
    expect([answer.status, answer.body.errorCode]).toEqual([503, "UNAVAILABLE"]);
    expect(answer.headers.get("Retry-After")).not.toBeNull();
  }
  expect(await actionsOf(id)).toEqual(["subscription_created"]);
});

test("a full database answers 503, and alerts", async () => {
  const id = await subscribe(shop);
  const full = () => Promise.reject(new Error("D1_ERROR: Exceeded maximum DB size"));
  const call = deployment({
    ...worker.bindings,
    DB: interrupted(/insert into "new_entries"/i, { before: full }),
  });
  const lines = await logged(async () => {
    const answer = await call<Json>(shop.admin, "POST", on(id, "pause"));
    expect(answer.status).toBe(503);
    expect(answer.body.error).toBe("The database is full, so nothing can be stored for now");
  });
  expect(lines).toContainEqual(expect.objectContaining({ event: "database_full", alert: true }));
});
