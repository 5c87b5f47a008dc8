/** Each subscription gets one contract at its store, though messages are lost, doubled or late. */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { api, deployment } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { syncContract, tickAt } from "../../support/jobs.ts";
import { put, subscriptionOf } from "../../support/records.ts";
import {
  actionsOf,
  deliver,
  done,
  entriesOf,
  inDays,
  inState,
  itemOf,
  type Json,
  openShop,
  outbox,
  read,
  rowOf,
  subscribe,
} from "../../support/shops.ts";
import { interrupted } from "../../support/slow-database.ts";
import { useShop } from "../../support/worker.ts";

const { shop } = useShop();

function link(id: string, account_id = shop.of.account.id) {
  return syncContract(account_id, id);
}

describe("sync_contract", () => {
  test("is sent by a creation, once for each subscription", async () => {
    const { sent, bindings } = outbox();
    const body = {
      profile_id: shop.profileId,
      store_payment_method_id: "pm_success",
      next_delivery_date: inDays(7),
      lines: [itemOf(shop.plan)],
    };
    const { ids } = (await deployment(bindings)(shop.api, "POST", "/api/subscriptions", { body })).body;
    expect(sent).toEqual(ids.map((id: string) => link(id)));
  });

  test("links, and logs it as the system's", async () => {
    const id = await subscribe(shop);
    expect((await read(shop, id)).store_contract_id).toBeNull();
    expect(await deliver([link(id)])).toEqual({ acked: ["message-0"], retried: [] });
    const { store_contract_id, number } = await read(shop, id);
    expect(store_contract_id).toEqual(expect.any(Number));
    expect((await entriesOf(id)).at(-1)).toMatchObject({
      action: "store_contract_linked",
      actor_type: "system",
      actor_name: null,
      changes: { store_contract_id: { from: null, to: store_contract_id } },
    });
    const found = await api<Json>(shop.api, "GET", "/api/subscriptions", { query: { store_contract_id } });
    expect(found.body.data.map((one: Json) => one.number)).toEqual([number]);
  });

  test("delivered twice, late, out of order, in parallel: linked once", async () => {
    const ids = [await subscribe(shop), await subscribe(shop), await subscribe(shop)];
    const jobs = ids.map((id) => link(id));
    await Promise.all([deliver([...jobs, ...jobs.toReversed()]), deliver(jobs.toReversed()), deliver(jobs)]);
    const again = await deliver(jobs);
    expect(again.retried).toEqual([]);
    for (const id of ids) {
      expect(await actionsOf(id)).toEqual(["subscription_created", "store_contract_linked"]);
      expect((await rowOf(id)).revision).toBe(2);
    }
    const contracts = new Set((await Promise.all(ids.map(rowOf))).map((row) => row.store_contract_id));
    expect(contracts.size).toBe(3);
  });

  test("made at the store, but not recorded: the next delivery records the same contract", async () => {
    const id = await subscribe(shop);
    const failing = {
      ...env,
      DB: interrupted(/insert into "new_entries"/i, {
        before: () => Promise.reject(new Error("Network connection lost")),
      }),
    };
    expect(await deliver([link(id)], { bindings: failing })).toEqual({ acked: [], retried: ["message-0"] });
    const made = await select<{ contract_id: number }>(
      "SELECT contract_id FROM own_contracts WHERE subscription_id = ?",
      id,
    );
    expect(made).toHaveLength(1);
    await deliver([link(id)]);
    expect((await rowOf(id)).store_contract_id).toBe(made[0]!.contract_id);
  });

  test.each(["PAUSED", "CANCELLED", "EXPIRED", "PAYMENT_FAILED"] as const)(
    "links %s ones too",
    async (state) => {
      const id = await inState(shop, state);
      await deliver([link(id)]);
      expect((await rowOf(id)).store_contract_id).not.toBeNull();
    },
  );

  test("does not hold up a change made meanwhile, nor undo it", async () => {
    const id = await subscribe(shop);
    await Promise.all([
      deliver([link(id)]),
      done(shop.api, "PUT", id, "delivery-instructions", { delivery_instructions: "Ring" }),
    ]);
    expect(await rowOf(id)).toMatchObject({
      delivery_instructions: "Ring",
      store_contract_id: expect.any(Number),
    });
  });
});

describe("the sweep", () => {
  const sentFor = (sent: Json[], id: string) => sent.filter(({ subscription_id }) => subscription_id === id);

  test("finds a lost message after a minute, not before; once linked, never again", async () => {
    const id = await subscribe(shop);
    const at = Date.parse((await rowOf(id)).created_at);
    expect(sentFor(await tickAt(at + 59_000), id)).toEqual([]);
    const sent = sentFor(await tickAt(at + 61_000), id);
    expect(sent).toEqual([link(id)]);
    expect(sentFor(await tickAt(at + 121_000), id)).toEqual([link(id)]);
    await deliver(sent);
    expect(sentFor(await tickAt(at + 181_000), id)).toEqual([]);
  });

  test("a creation whose queue is down succeeds all the same, and is swept", async () => {
    const JOBS = { sendBatch: () => Promise.reject(new Error("queue down")) } as unknown as Queue<unknown>;
    const body = {
      profile_id: shop.profileId,
      store_payment_method_id: "pm_success",
      next_delivery_date: inDays(7),
      lines: [itemOf(shop.plan)],
    };
    const created = await deployment({ JOBS })(shop.api, "POST", "/api/subscriptions", { body });
    expect(created.status).toBe(201);
    const [id] = created.body.ids;
    await deliver(sentFor(await tickAt(Date.now() + 61_000), id));
    expect((await rowOf(id)).store_contract_id).not.toBeNull();
  });

  test("a tick whose queue is down does not throw; the next one sends", async () => {
    const id = await subscribe(shop);
    const JOBS = { sendBatch: () => Promise.reject(new Error("queue down")) } as unknown as Queue<unknown>;
    await tickAt(Date.now() + 61_000, { ...env, JOBS });
    expect(sentFor(await tickAt(Date.now() + 121_000), id)).toHaveLength(1);
  });

  test("a tick finds all of them, page after page, and each once", async () => {
    const other = await openShop();
    const rows = Array.from({ length: 250 }, () =>
      subscriptionOf(other.of, other.profileId, {
        created_at: "2020-01-01T00:00:00.000Z",
        store_contract_id: null,
      }),
    );
    await put("subscriptions", rows);
    const found = (await tickAt(Date.now())).filter(({ account_id }) => account_id === other.of.account.id);
    expect(found).toHaveLength(250);
    expect(new Set(found.map(({ subscription_id }) => subscription_id)).size).toBe(250);
  });
});
