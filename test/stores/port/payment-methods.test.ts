/** Every store gives a payment method to its own customer alone. */
import { expect } from "vitest";
import { StoreRefusalError } from "../../../src/stores/port.ts";
import { overStores } from "./promises.ts";

const pages = { done: "https://shop.example/done", left: "https://shop.example/left" };

overStores((promise) => {
  promise("findPaymentMethod", "shows a customer's, and knows no other", async (world, store) => {
    const { store_payment_method_id, store_customer_id } = await world.newContract();
    const id = store_payment_method_id ?? world.methodThat("is_made");
    expect(await store.findPaymentMethod(id)).toMatchObject({
      ...{ store_payment_method_id: id, store_customer_id, brand: "visa", last4: "4242" },
      ...{ exp_month: 12, exp_year: 2034, status: "VALID" },
    });
    if (world.unknownMethod) expect(await store.findPaymentMethod(world.unknownMethod)).toBeUndefined();
  });

  promise("findPaymentMethod", "says of one whose time is over that it has expired", async (world, store) => {
    expect(await store.findPaymentMethod(world.expiredMethod())).toMatchObject({ status: "EXPIRED" });
  });

  promise(
    "askForPaymentMethod",
    "sends an e-mail each time, and refuses for an unknown one",
    async (world, store) => {
      const method = world.methodThat("is_made");
      const before = world.countMails!();
      await store.askForPaymentMethod!(method);
      await store.askForPaymentMethod!(method);
      expect(world.countMails!() - before).toBe(2);
      await expect(store.askForPaymentMethod!(world.unknownMethod!)).rejects.toThrow(StoreRefusalError);
    },
  );

  promise(
    "canAskForPaymentMethod",
    "is true while nothing is known that stands against it",
    async (_world, store) => {
      expect(store.canAskForPaymentMethod).toBe(true);
    },
  );

  promise("attachPaymentMethod", "gives one of nobody to the profile's customer", async (world, store) => {
    const profile = await world.newProfile();
    const attached = await store.attachPaymentMethod!(world.ownerless!, profile);
    expect(attached).toMatchObject({ status: "VALID", store_customer_id: expect.stringMatching(/./) });
    const id = attached!.store_payment_method_id;
    const owned = { ...profile, store_customer_id: attached!.store_customer_id };
    expect(await store.attachPaymentMethod!(id, owned)).toEqual(attached);
    expect(await store.findPaymentMethod(id)).toEqual(attached);
    expect(await store.attachPaymentMethod!(world.unknownMethod!, profile)).toBeUndefined();
  });

  promise("beginPaymentMethod", "lets a customer's browser in with two texts", async (world, store) => {
    const begun = await store.beginPaymentMethod!(await world.newProfile());
    expect(begun).toEqual({
      id: expect.stringMatching(/./),
      client_secret: expect.stringContaining(begun.id),
      publishable_key: expect.stringMatching(/^pk_/),
    });
  });

  promise("beginPaymentMethodPage", "leads to a page of the store's", async (world, store) => {
    expect(await store.beginPaymentMethodPage!(await world.newProfile(), pages)).toMatch(/^https:\/\//);
  });

  promise(
    "finishPaymentMethod",
    "has what was entered, for the profile that has begun alone",
    async (world, store) => {
      const [owner, other] = [await world.newProfile(), await world.newProfile()];
      const { id } = await store.beginPaymentMethod!(owner);
      if (world.enter) expect(await store.finishPaymentMethod!(owner, id)).toBeUndefined();
      world.enter?.(id);
      const entered = await store.finishPaymentMethod!(owner, id);
      expect(entered).toMatchObject({ brand: "visa", status: "VALID" });
      expect(await store.finishPaymentMethod!(owner, id)).toEqual(entered);
      expect(await store.finishPaymentMethod!(other, id)).toBeUndefined();
      for (const unknown of ["seti_none", "cs_none", "../x", ""])
        expect(await store.finishPaymentMethod!(owner, unknown)).toBeUndefined();
    },
  );

  promise(
    "removePaymentMethod",
    "takes it from its customer for good, and once is enough",
    async (world, store) => {
      const method = world.ownerless
        ? (await store.attachPaymentMethod!(world.ownerless, await world.newProfile()))!
            .store_payment_method_id
        : world.methodThat("is_made");
      await store.removePaymentMethod!(method);
      await store.removePaymentMethod!(method);
      expect(await store.findPaymentMethod(method)).toMatchObject({
        store_customer_id: null,
        ...(world.ownerless ? { status: "REVOKED" } : {}),
      });
    },
  );

  promise(
    "browserScript",
    "names the origin of its script among those that it needs",
    async (_world, store) => {
      const { src, scripts, frames, connections } = store.browserScript!;
      expect(scripts).toContain(new URL(src).origin);
      for (const origin of [...scripts, ...frames, ...connections])
        expect(origin).toMatch(/^https:\/\/[\w.*-]+$/);
    },
  );
});
