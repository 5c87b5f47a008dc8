/** Every store charges a key at most once, finds what it has charged, and lists each charge once. */
import { expect, test } from "vitest";
import { stores } from "../../../src/base/accounts/tables.ts";
import { traitsOf } from "../../../src/stores/platforms.ts";
import { UnknownOutcomeError } from "../../../src/stores/port.ts";
import { again, countPaidBy, knownAs, newCharge, newPayment, settle, walk } from "./charging.ts";
import { openIdle, overStores } from "./promises.ts";

const monthMs = 30 * 86_400_000;

overStores((promise) => {
  promise("createContract", "makes one contract for a subscription's life", async (world, store) => {
    const [desired, other] = [await world.newContract(), await world.newContract()];
    const id = await store.createContract(desired, null);
    expect(await store.createContract(desired, null)).toBe(id);
    expect(await store.createContract(other, null)).not.toBe(id);
  });

  promise("charge", "charges the amount, and says what was paid", async (world, store) => {
    const charge = await newCharge(world, store);
    const paid = await countPaidBy(world, async () => {
      expect(await settle(store, charge)).toMatchObject({
        outcome: "succeeded",
        reference: expect.stringMatching(/./),
        store_order_id: expect.stringMatching(/./),
        ...{ amount: 2490, tax_amount: 0, fees_amount: 0, currency_code: "EUR" },
      });
    });
    expect(paid).toBe(1);
  });

  promise("charge", "charges a key at most once, and answers it as before", async (world, store) => {
    const charge = await newCharge(world, store);
    const paid = await countPaidBy(world, async () => {
      const first = await settle(store, charge);
      expect(await settle(store, again(charge))).toEqual(first);
      world.passDays?.(2);
      expect(await settle(store, again(charge))).toEqual(first);
      expect(await settle(store, again({ ...charge, reference: first.reference }))).toEqual(first);
    });
    expect(paid).toBe(1);
  });

  promise(
    "charge",
    "charges a key at most once, however many send it at the same time",
    async (world, store) => {
      const charge = await newCharge(world, store);
      const paid = await countPaidBy(world, async () => {
        await Promise.allSettled([store.charge(charge), store.charge(charge), store.charge(again(charge))]);
        expect(await settle(store, again(charge))).toMatchObject({ outcome: "succeeded" });
      });
      expect(paid).toBe(1);
    },
  );

  promise("charge", "charges nothing where the customer's payment is declined", async (world, store) => {
    const charge = await newCharge(world, store, "is_declined");
    const paid = await countPaidBy(world, async () => {
      const declined = await settle(store, charge);
      expect(declined).toMatchObject({ outcome: "declined", failure: "customer", isRefused: false });
      expect(await settle(store, again(charge))).toEqual(declined);
    });
    expect(paid).toBe(0);
  });

  promise("charge", "charges nothing while it waits for its customer", async (world, store) => {
    const charge = await newCharge(world, store, "waits");
    const paid = await countPaidBy(world, async () => {
      const answer = await settle(store, charge);
      expect(answer).toMatchObject({ outcome: "action_required", url: expect.stringMatching(/^https:/) });
    });
    expect(paid).toBe(0);
  });

  promise(
    "charge",
    "throws where no answer comes, and the key is charged once by another request",
    async (world, store) => {
      for (const fate of ["loses_answer", "does_not_arrive"] as const) {
        const charge = await newCharge(world, store, fate);
        const paid = await countPaidBy(world, async () => {
          await expect(store.charge(charge)).rejects.toThrow(UnknownOutcomeError);
          expect(await settle(store, again(charge))).toMatchObject({ outcome: "succeeded" });
        });
        expect([fate, paid]).toEqual([fate, 1]);
      }
    },
  );

  promise(
    "findCharge",
    "answers as the charge did, by the key and by the reference",
    async (world, store) => {
      for (const fate of ["is_made", "is_declined", "waits"] as const) {
        const charge = await newCharge(world, store, fate);
        const answer = await settle(store, charge);
        expect(await store.findCharge(knownAs(charge))).toEqual(answer);
        expect(await store.findCharge(knownAs(charge, answer.reference))).toEqual(answer);
      }
    },
  );

  promise("findCharge", "is undefined for a key that has not reached the store", async (world, store) => {
    const charge = await newCharge(world, store, "does_not_arrive");
    await expect(store.charge(charge)).rejects.toThrow(UnknownOutcomeError);
    expect(await store.findCharge(knownAs(charge))).toBeUndefined();
  });

  promise("findCharge", "finds a charge whose answer was lost", async (world, store) => {
    const charge = await newCharge(world, store, "loses_answer");
    await expect(store.charge(charge)).rejects.toThrow(UnknownOutcomeError);
    expect(["pending", "succeeded"]).toContain((await store.findCharge(knownAs(charge)))?.outcome);
  });

  promise("withdrawCharge", "leaves nothing that was paid of one that waits", async (world, store) => {
    const charge = await newCharge(world, store, "waits");
    const paid = await countPaidBy(world, async () => {
      const { reference } = await settle(store, charge);
      const withdrawn = await store.withdrawCharge(knownAs(charge, reference));
      expect(["action_required", "declined"]).toContain(withdrawn?.outcome);
      expect(await store.withdrawCharge(knownAs(charge, reference))).toEqual(withdrawn);
    });
    expect(paid).toBe(0);
  });

  promise("withdrawCharge", "leaves one that was paid, and knows no other", async (world, store) => {
    const { charge, reference } = await newPayment(world, store);
    expect(await store.withdrawCharge(knownAs(charge, reference))).toMatchObject({ outcome: "succeeded" });
    const other = await newCharge(world, store);
    expect(await store.withdrawCharge(knownAs(other))).toBeUndefined();
  });

  promise("endCharge", "leaves the key of one that waits to another one", async (world, store) => {
    const charge = await newCharge(world, store, "waits");
    const { reference } = await settle(store, charge);
    await store.endCharge!(knownAs(charge, reference));
    const paid = await countPaidBy(world, async () =>
      expect(await settle(store, again(charge))).toMatchObject({ outcome: "succeeded" }),
    );
    expect(paid).toBe(1);
  });

  promise("endCharge", "leaves one that was paid", async (world, store) => {
    const { charge, reference } = await newPayment(world, store);
    expect(await store.endCharge!(knownAs(charge, reference))).toMatchObject({ outcome: "succeeded" });
  });

  promise(
    "findConfirmation",
    "is there for a charge that waits for its customer alone",
    async (world, store) => {
      const charge = await newCharge(world, store, "waits");
      const { reference } = await settle(store, charge);
      expect(await store.findConfirmation!(knownAs(charge, reference))).toEqual({
        client_secret: expect.stringMatching(/./),
        publishable_key: expect.stringMatching(/./),
        payment_method: charge.store_payment_method_id,
      });
      const paid = await newPayment(world, store);
      expect(await store.findConfirmation!(knownAs(paid.charge, paid.reference))).toBeUndefined();
    },
  );

  promise("hasCustomer", "knows the store's customers, and no other", async ({ customers }, store) => {
    expect(await store.hasCustomer!(customers!.known)).toBe(true);
    expect(await store.hasCustomer!(customers!.unknown)).toBe(false);
  });

  promise("whyNotChargeable", "tells which amounts cannot be charged", async ({ amounts }, store) => {
    expect(store.whyNotChargeable!(2490, "EUR")).toBeUndefined();
    for (const amount of Object.values(amounts!))
      expect(store.whyNotChargeable!(...amount)).toMatchObject({ failure: "merchant", isRefused: true });
  });

  promise(
    "listCharges",
    "has each charge that was made since an instant, oldest first, and an end",
    async (world, store) => {
      const since = new Date(Date.now() - 1000).toISOString();
      const { charge, reference } = await newPayment(world, store);
      const declined = await newCharge(world, store, "is_declined");
      await settle(store, declined);
      const keys = await world.pay(55);
      const later = await world.open(new Date(Date.now() + monthMs));
      const list = (from: string) =>
        walk(async (after) => {
          const { charges, next } = await later.listCharges!({ since: from, after });
          return { found: charges, next };
        });
      const { found } = await list(since);
      const times = found.map(({ created_at }) => created_at);
      expect(times).toEqual(times.toSorted());
      expect(found.filter(({ key }) => key === charge.key)).toMatchObject([{ reference }]);
      expect(found.map(({ key }) => key)).not.toContain(declined.key);
      expect(found.map(({ key }) => key).filter((key) => keys.includes(key))).toEqual(keys);
      expect(await list(new Date(Date.now() + monthMs).toISOString())).toEqual({ found: [], pages: 1 });
    },
  );

  promise("listCharges", "ends a page that others follow with an instant", async (world) => {
    const since = new Date(Date.now() - 1000).toISOString();
    await world.pay(120);
    const later = await world.open(new Date(Date.now() + monthMs));
    const first = await later.listCharges!({ since, after: null });
    expect(first.next).toMatch(/^\d{4}-\d\d-\d\dT\S+Z \S+$/);
    expect(await later.listCharges!({ since, after: first.next })).not.toEqual(first);
  });

  promise(
    "findMadeCharge",
    "finds a charge that was made by its reference, as it is listed",
    async (world, store) => {
      const { charge, reference } = await newPayment(world, store);
      const found = await store.findMadeCharge!(reference);
      expect(found).toMatchObject({ key: charge.key, reference, subscription_id: charge.subscription_id });
      const declined = await settle(store, await newCharge(world, store, "is_declined"));
      expect(await store.findMadeCharge!(declined.reference)).toBeUndefined();
    },
  );
});

test.each(stores)("%s tells of the orders that it keeps, or else pays them back for us", async (name) => {
  const { records, refund } = await openIdle(name);
  const { keepsOrders } = traitsOf({ store: name });
  expect([refund === undefined, records !== undefined || !keepsOrders]).toEqual([keepsOrders, true]);
});
