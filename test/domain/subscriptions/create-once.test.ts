/** A creation is whole or nothing, has one contract and one entry for each subscription, and a dry run writes nothing. */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { tick } from "../../../src/runtime/jobs/tick.ts";
import { api, deployment } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { faults, listed } from "../../support/records.ts";
import { interrupted } from "../../support/slow-database.ts";
import { rowsOf } from "../../support/snapshot.ts";
import {
  bodyFor,
  create,
  created,
  deliver,
  entityFor,
  inDays,
  lineOf,
  openSeller,
  path,
  rememberingQueue,
  type Seller,
  shown,
} from "../../support/subscriptions.ts";
import { useShop } from "../../support/use-account.ts";

type Body = Record<string, unknown>;

const shop = useShop();

describe("all or none", () => {
  test("where the last entry cannot be written, nothing is", async () => {
    const seller = await openSeller();
    const dog = await entityFor(seller.admin, seller.profileId);
    const lines = [lineOf(seller.planId), lineOf(seller.planId, { entity_id: dog })];
    const before = await rowsOf(seller.of.account.id);
    await execute(`CREATE TRIGGER one_too_many BEFORE INSERT ON activity_logs
      WHEN NEW.account_seq = (SELECT seq FROM accounts WHERE id = '${seller.of.account.id}') AND EXISTS (SELECT 1 FROM activity_logs WHERE account_seq = NEW.account_seq AND action = NEW.action)
      BEGIN SELECT RAISE(ABORT, 'no'); END`);
    const { sent, queue } = rememberingQueue();
    const { status } = await deployment({ JOBS: queue })(seller.admin, "POST", path, {
      body: bodyFor(seller, { lines }),
    });
    await execute("DROP TRIGGER one_too_many");
    expect([status, sent]).toEqual([500, []]);
    expect(await rowsOf(seller.of.account.id)).toBe(before);
    expect(await created(seller, { lines })).toHaveLength(2);
  });

  test("one subscription_created for each, by who asked", async () => {
    const seller = await openSeller();
    const dog = await entityFor(seller.admin, seller.profileId);
    const ids = await created(seller, {
      lines: [lineOf(seller.planId), lineOf(seller.planId, { entity_id: dog })],
    });
    const today = new Date().toISOString().slice(0, 10);
    const feed = await listed(seller.admin, "/api/activity-logs", {
      start_date: inDays(-1),
      end_date: today,
      action: "subscription_created",
    });
    expect(feed.data).toHaveLength(2);
    expect(new Set(feed.data.map(({ loggable_id }) => loggable_id))).toEqual(new Set(ids));
    for (const entry of feed.data)
      expect(entry).toMatchObject({
        loggable_type: "subscription",
        subscription_id: entry.loggable_id,
        profile_id: seller.profileId,
        order_id: null,
        actor_type: "admin",
        actor_name: "Ada Admin",
      });
    expect(new Set(feed.data.map(({ subscription_number }) => subscription_number))).toEqual(
      new Set(["1001", "1002"]),
    );
  });
});

describe("the contract at the store", () => {
  const jobOf = (seller: Seller, id: string) => ({
    type: "sync_contract",
    account_id: seller.of.account.id,
    subscription_id: id,
  });

  test("is made by a job for each, of ids only, and linked once however often it comes", async () => {
    const seller = await openSeller();
    const dog = await entityFor(seller.admin, seller.profileId);
    const { sent, queue } = rememberingQueue();
    const lines = [lineOf(seller.planId), lineOf(seller.planId, { entity_id: dog })];
    const { body } = await deployment({ JOBS: queue })(seller.admin, "POST", path, {
      body: bodyFor(seller, { lines }),
    });
    expect(sent).toEqual(body.ids.map((id: string) => jobOf(seller, id)));
    expect((await deliver(sent)).explicitAcks.toSorted()).toEqual(["m0", "m1"]);
    const linked = await Promise.all(body.ids.map((id: string) => shown(seller.admin, id)));
    const contracts = linked.map(({ store_contract_id }) => store_contract_id);
    expect(contracts.every(Number.isSafeInteger) && new Set(contracts).size === 2, contracts.join()).toBe(
      true,
    );
    const before = await rowsOf(seller.of.account.id);
    expect((await deliver([...sent, ...sent])).explicitAcks).toHaveLength(4);
    expect(await rowsOf(seller.of.account.id)).toBe(before);
    const entries = await select(
      "SELECT actor_type, COUNT(*) AS n FROM activity_logs WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND action = 'store_contract_linked' GROUP BY 1",
      seller.of.account.id,
    );
    expect(entries).toEqual([{ actor_type: "system", n: 2 }]);
    const found = await listed(seller.admin, path, { store_contract_id: contracts[0] });
    expect(found.data.map(({ id }) => id)).toEqual([body.ids[0]]);
  });

  test("jobs of an unknown account or subscription, and what is no job, are let go", async () => {
    const seller = await openSeller();
    const [id] = await created(seller);
    const bodies = [
      jobOf(seller, id!),
      { ...jobOf(seller, id!), account_id: newId() },
      "nonsense",
      { type: "sync_contract" },
      jobOf(seller, newId()),
    ];
    const { explicitAcks, retryMessages } = await deliver(bodies);
    expect(explicitAcks).toEqual(["m0", "m1", "m2", "m3", "m4"]);
    expect(retryMessages).toEqual([]);
    expect((await shown(seller.admin, id!)).store_contract_id).toEqual(expect.any(Number));
  });

  test("a message that was lost is sent again by the sweep, once it is a minute old", async () => {
    const seller = await openSeller();
    const [id] = await created(seller);
    const sweep = async (ms: number) => {
      const { sent, queue } = rememberingQueue();
      await tick({ ...env, JOBS: queue }, new Date(Date.now() + ms));
      return sent.filter((body) => (body as { subscription_id: string }).subscription_id === id);
    };
    expect(await sweep(0)).toEqual([]);
    const found = await sweep(120_000);
    expect(found).toEqual([jobOf(seller, id!)]);
    await deliver(found);
    expect((await shown(seller.admin, id!)).store_contract_id).toEqual(expect.any(Number));
    expect(await sweep(120_000)).toEqual([]);
  });

  test("a queue that is out of order loses no creation", async () => {
    const seller = await openSeller();
    const queue = { sendBatch: () => Promise.reject(new Error("out of order")) } as unknown as Queue;
    const { status, body } = await deployment({ JOBS: queue })(seller.admin, "POST", path, {
      body: bodyFor(seller),
    });
    expect([status, body.ids.length]).toEqual([201, 1]);
  });
});

describe("?dry_run=true", () => {
  test("200 with what would be, and nothing written or sent", async () => {
    const seller = await openSeller();
    await created(seller);
    const dog = await entityFor(seller.admin, seller.profileId, "Rex");
    const values = {
      store_payment_method_id: "pm_expired_card",
      note: "Dry",
      lines: [lineOf(seller.planId), lineOf(seller.planId, { entity_id: dog })],
    };
    const before = await rowsOf(seller.of.account.id);
    const { sent, queue } = rememberingQueue();
    const dry = await deployment({ JOBS: queue })(seller.admin, "POST", path, {
      body: bodyFor(seller, values),
      query: { dry_run: true },
    });
    expect([dry.status, dry.body.ids, sent]).toEqual([200, [], []]);
    expect(await rowsOf(seller.of.account.id)).toBe(before);
    const ids = await created(seller, values);
    const real = await Promise.all(ids.map((id) => shown(seller.admin, id)));
    const settlement = (one: Body) => ({
      ...one,
      id: "",
      created_at: "",
      updated_at: "",
      lines: (one.lines as Body[]).map((line) => ({ ...line, id: "" })),
    });
    expect(dry.body.data.map(settlement)).toEqual(real.map(settlement));
    expect(real.map(({ number }) => number)).toEqual(["1002", "1003"]);
  });

  test("refuses what the real one refuses", async () => {
    for (const values of [{ profile_id: newId() }, { next_delivery_date: "2020-01-01" }, { lines: [] }])
      expect(
        faults(await create(shop, values, { body: bodyFor(shop, values), query: { dry_run: "1" } })),
      ).toEqual(faults(await create(shop, values)));
  });

  test.each(["false", "0"])("%s is a real one", async (dry_run) => {
    expect((await create(shop, {}, { query: { dry_run }, body: bodyFor(shop) })).status).toBe(201);
  });

  test("anything else is 400", async () => {
    expect(faults(await create(shop, {}, { query: { dry_run: "yes" }, body: bodyFor(shop) }))).toEqual([
      400,
      "VALIDATION_FAILED",
      "dry_run",
    ]);
  });
});

test("Idempotency-Key: one creation, its answer replayed, also at once", async () => {
  const seller = await openSeller();
  const options = { body: bodyFor(seller), headers: { "Idempotency-Key": "once" } };
  const answers = await Promise.all([1, 2, 3].map(() => create(seller, {}, options)));
  const later = await create(seller, {}, options);
  const done = [...answers, later].filter(({ status }) => status === 201);
  expect(new Set(answers.map(({ status }) => status)).difference(new Set([201, 409])).size).toBe(0);
  expect(new Set(done.map(({ text }) => text)).size).toBe(1);
  expect(later.headers.get("Idempotency-Replayed")).toBe("true");
  expect((await listed(seller.admin, path)).meta.total).toBe(1);
});

describe("a creation that others overtake between its reading and its writing", () => {
  const overtaken = async (seller: Seller, values: Body, meanwhile: () => Promise<unknown>) => {
    const DB = interrupted(/^insert into "(payment_methods|subscriptions)"/, { before: once(meanwhile) });
    return deployment({ DB })(seller.admin, "POST", path, { body: bodyFor(seller, values) });
  };
  const once = (act: () => Promise<unknown>) => {
    let done = false;
    return async () => {
      if (!done) {
        done = true;
        await act();
      }
    };
  };

  test("by another with the same new payment method: both are made, the method is kept once", async () => {
    const seller = await openSeller();
    const values = { store_payment_method_id: "pm_raced" };
    const answer = await overtaken(seller, values, () => created(seller, values));
    expect(answer.status, answer.text).toBe(201);
    const { data } = await listed(seller.admin, path);
    expect(data.map(({ number }) => number).sort()).toEqual(["1001", "1002"]);
    const kept = await select(
      "SELECT id FROM payment_methods WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      seller.of.account.id,
    );
    expect(kept).toHaveLength(1);
  });

  test("by the deletion of its profile: refused", async () => {
    const seller = await openSeller();
    const answer = await overtaken(seller, {}, () =>
      api(seller.admin, "DELETE", `/api/profiles/${seller.profileId}`),
    );
    expect(faults(answer)).toEqual([400, "UNKNOWN_PROFILE", "profile_id"]);
  });

  test("by the deletion of its plan: refused, as the plan's deletion would have been", async () => {
    const seller = await openSeller();
    const remove = () => api(seller.admin, "DELETE", `${path}/selling-plans/${seller.planId}`);
    const answer = await overtaken(seller, {}, remove);
    expect(faults(answer)).toEqual([400, "UNKNOWN_SELLING_PLAN", "lines.0.selling_plan_id"]);
  });
});
