/** The nightly look finds a dispute whose webhooks were lost, and goes on behind one that fails. */
import { beforeEach, describe, expect, test } from "vitest";
import { dayMs } from "../../../src/base/lib/time/durations.ts";
import { execute, select } from "../../support/database.ts";
import { type Json, read } from "../../support/shops.ts";
import { ordersOf, setClock } from "../../support/worker.ts";
import { subscribed } from "./account.ts";
import { charge, intentsOf, nextNight, settled, shipped, started } from "./charging.ts";
import { useDisputes } from "./disputing.ts";
import { connectWith } from "./hooks.ts";

const { account, disputed, entries, order, paid, reasonOf } = useDisputes();
let intent: string;
beforeEach(() => {
  ({ intent } = paid);
});

describe("the nightly look", () => {
  const night = () => nextNight(account);
  const lose = () => account.stripe.takeWebhooks();
  const disputesSince = async () => {
    const [found] = await select<{ disputes_since: string }>(
      "SELECT disputes_since FROM reconciliations WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      account.merchant.of.account.id,
    );
    return found!.disputes_since;
  };

  test("finds a dispute whose webhooks were lost, how it went on, and writes nothing more", async () => {
    const { id: dispute } = account.stripe.dispute(intent);
    await lose();
    await night();
    expect(await reasonOf()).toBe("disputed");
    account.stripe.changeDispute(dispute, "under_review");
    account.stripe.closeDispute(dispute, "won");
    await lose();
    await night();
    await night();
    expect([await reasonOf(), (await order()).dispute.status, (await entries()).length]).toEqual([
      null,
      "WON",
      2,
    ]);
  });

  test("reads what its list has just shown once more, behind our own records", async () => {
    const { id: dispute } = account.stripe.dispute(intent);
    await lose();
    const asked = account.stripe.requests.length;
    const reads = () =>
      account.stripe.requests.slice(asked).filter(({ operation }) => operation === "disputes.retrieve")
        .length;
    account.stripe.closeDispute(dispute, "lost");
    await lose();
    await night();
    expect([(await order()).dispute.status, reads()]).toEqual(["LOST", 1]);
  });

  test("goes on behind one that cannot be recorded, and looks at it again the next night", async () => {
    const second = await subscribed(account);
    await shipped(account, second);
    const other = intentsOf(account, second)[0]!.id;
    const [broken, well] = [account.stripe.dispute(intent), account.stripe.dispute(other)];
    await lose();
    await execute(
      `CREATE TRIGGER unrecorded BEFORE INSERT ON order_disputes WHEN NEW.store_dispute_id = '${broken.id}' BEGIN SELECT RAISE(ABORT, 'no'); END`,
    );
    const since = await disputesSince();
    const lines = await night();
    await execute("DROP TRIGGER unrecorded");
    const known = async () => {
      const ids = await select<{ id: string }>("SELECT store_dispute_id AS id FROM order_disputes");
      return [broken, well].map((dispute) => ids.some(({ id }) => id === dispute.id));
    };
    expect(await known()).toEqual([false, true]);
    expect(lines.filter(({ event }) => event === "record_failed")).toMatchObject([
      { alert: true, task: "dispute", store_dispute_id: broken.id },
    ]);
    expect(await disputesSince()).toBe(since);
    await night();
    expect(await known()).toEqual([true, true]);
  });

  test("asks about one that was opened long ago, too", async () => {
    const dispute = await disputed();
    for (let nights = 0; nights < 2; nights++) {
      await night();
      setClock(Date.now() + 50 * dayMs);
    }
    account.stripe.closeDispute(dispute, "won");
    await lose();
    await night();
    expect((await order()).dispute.status).toBe("WON");
  });

  test("asks about all of more than fifty that are open, though Stripe does not answer about one: who has won is billed again", async () => {
    const dispute = await disputed();
    for (let nights = 0; nights < 2; nights++) {
      await night();
      setClock(Date.now() + 50 * dayMs);
    }
    const [known] = await select<Record<string, string | number | null>>(
      "SELECT * FROM order_disputes WHERE store_dispute_id = ?",
      dispute,
    );
    const others = Array.from({ length: 60 }, (_, nth) => String(nth).padStart(2, "0"));
    for (const nth of others) {
      const copy = { ...known, id: `00000000-${nth}`, store_dispute_id: `du_${nth}`, is_blocking: 0 };
      const [names, values] = [Object.keys(copy), Object.values(copy)];
      await execute(
        `INSERT INTO order_disputes (${names.join()}) VALUES (${names.map(() => "?").join()})`,
        ...values,
      );
    }
    account.stripe.closeDispute(dispute, "won");
    await lose();
    account.stripe.fail({ kind: "network", on: "disputes.retrieve", effect: "none" });
    const asked = account.stripe.requests.length;
    const lines = await night();
    const reads = account.stripe.requests
      .slice(asked)
      .filter(({ operation }) => operation === "disputes.retrieve");
    expect(reads).toHaveLength(others.length + 1);
    expect(lines.filter(({ event }) => event === "store_outcome_unknown")).toHaveLength(1);
    expect([await reasonOf(), (await order()).dispute.status]).toEqual([null, "WON"]);
    expect((await entries()).at(-1)).toMatchObject({ dispute_status: "WON", billing_is_blocked: false });
  });

  test("takes one message where no dispute is open, and another for those that are", async () => {
    const messages = async () =>
      (await night()).filter(({ event, type }) => event === "job" && type === "reconcile_disputes").length;
    expect(await messages()).toBe(1);
    await disputed();
    expect(await messages()).toBe(2);
  });

  test("looks again at one whose charge is recorded days after it was seen", async () => {
    const other = await subscribed(account);
    const attempt = await started(account, other);
    account.stripe.fail({ kind: "network", effect: "done", on: "payment_intents.confirm" });
    await charge(account, attempt);
    account.worker.forget();
    const [charged] = intentsOf(account, other);
    account.stripe.dispute(charged!.id);
    await lose();
    const tryNext = (at: number) =>
      execute(
        "UPDATE billing_attempts SET next_action_at = ?, lease_until = NULL WHERE subscription_id = ?",
        new Date(at).toISOString(),
        other,
      );
    const reason = async () => (await read(account.merchant, other)).billing_blocked_reason;
    const opened = Date.now();
    await tryNext(opened + 5 * dayMs);
    setClock(opened + 4 * dayMs);
    await night();
    expect([await ordersOf(account.merchant, other), await reason()]).toEqual([[], null]);
    await tryNext(Date.now());
    await settled(account, 2, Date.now());
    expect([(await ordersOf(account.merchant, other)).length, await reason()]).toEqual([1, null]);
    setClock(opened + 6 * dayMs);
    await night();
    expect(await reason()).toBe("disputed");
    const since = await disputesSince();
    expect(Date.parse(since)).toBeGreaterThan(opened);
  });

  test("says that the key may not read disputes, and finds what was opened meanwhile once it may", async () => {
    account.stripe.dispute(intent);
    await lose();
    const { settings: at } = account.stripe;
    const { secretKeys } = at;
    at.secretKeys = [...secretKeys, "rk_test_fake"];
    at.refusedPermissions = new Set(["disputes.list"]);
    await connectWith(account, { secret_key: "rk_test_fake" } as Json);
    const lines = await night();
    expect(lines).toContainEqual(
      expect.objectContaining({ event: "store_access_denied", topic: "disputes", alert: true }),
    );
    setClock(Date.now() + 5 * dayMs);
    await night();
    setClock(Date.now() + 5 * dayMs);
    at.refusedPermissions = new Set();
    await night();
    expect(await reasonOf()).toBe("disputed");
  });
});
