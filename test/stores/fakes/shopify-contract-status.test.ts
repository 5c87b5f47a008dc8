/** The fake Shopify changes a contract's status and dates as Shopify documents it. */
import { describe, expect, test } from "vitest";
import {
  activateContract,
  cancelContract,
  expireContract,
  failContract,
  pauseContract,
  setNextBillingDate,
} from "../../../src/stores/shopify/documents.ts";
import { openStore } from "../shopify/store.ts";

describe("a contract's status", () => {
  const settings: [name: string, mutation: string, status: string][] = [
    ["pause", pauseContract, "PAUSED"],
    ["cancel", cancelContract, "CANCELLED"],
    ["expire", expireContract, "EXPIRED"],
    ["fail", failContract, "FAILED"],
  ];

  test.each(settings)("is set: %s", async (name, mutation, status) => {
    const { store, contract, answer, topics } = openStore();
    const id = await contract();
    const { revision } = store.contract(id);
    expect(await answer(mutation, { id })).toEqual({ contract: { id, status }, userErrors: [] });
    expect(store.contract(id).revision).toBeGreaterThan(revision);
    expect((await topics()).slice(1)).toEqual([
      "subscription_contracts/update",
      `subscription_contracts/${name}`,
    ]);
  });

  test.each(["PAUSED", "FAILED"] as const)("is active again after %s", async (status) => {
    const { store, contract, answer, topics } = openStore();
    const id = await contract();
    store.contract(id).status = status;
    expect((await answer(activateContract, { id })).contract.status).toBe("ACTIVE");
    expect(await topics()).toContain("subscription_contracts/activate");
  });

  test("is not changed if the contract already has it", async () => {
    const { store, contract, answer, topics } = openStore();
    const id = await contract();
    const { revision } = store.contract(id);
    await topics();
    expect(await answer(activateContract, { id })).toMatchObject({ userErrors: [] });
    expect(store.contract(id).revision).toBe(revision);
    expect(await topics()).toEqual([]);
  });

  test.each([cancelContract, expireContract])("is final once it is terminated", async (ending) => {
    const { contract, answer, topics } = openStore();
    const id = await contract();
    await answer(ending, { id });
    await topics();
    for (const mutation of [activateContract, ...settings.map(([, mutation]) => mutation)])
      expect(await answer(mutation, { id })).toMatchObject({
        contract: null,
        userErrors: [{ code: "CONTRACT_TERMINATED" }],
      });
    expect(await topics()).toEqual([]);
  });

  test("cannot be set for an unknown contract, or while the script refuses it", async () => {
    const { store, contract, answer } = openStore();
    const unknown = { id: "gid://shopify/SubscriptionContract/1" };
    expect((await answer(pauseContract, unknown)).userErrors).toMatchObject([{ code: "INVALID" }]);
    const id = await contract();
    store.refuse("subscriptionContractPause", "INVALID");
    expect(await answer(pauseContract, { id })).toEqual({
      contract: null,
      userErrors: [{ code: "INVALID", field: null, message: "Refused: INVALID" }],
    });
    expect((await answer(pauseContract, { id })).userErrors).toEqual([]);
    expect(() => store.refuse("subscriptionContractStop", "INVALID")).toThrow("no mutation");
  });

  test("can be set by a merchant too; an impossible change is an error", async () => {
    const { store, contract, topics } = openStore();
    const id = await contract();
    await topics();
    store.merchant.pause(id);
    store.merchant.activate(store.contract(id).number);
    store.merchant.edit(id, { note: "Ring" });
    store.merchant.cancel(id);
    expect(store.contract(id)).toMatchObject({ status: "CANCELLED", note: "Ring" });
    const update = "subscription_contracts/update";
    expect(await topics()).toEqual([
      update,
      "subscription_contracts/pause",
      update,
      "subscription_contracts/activate",
      update,
      update,
      "subscription_contracts/cancel",
    ]);
    expect(() => store.merchant.pause(id)).toThrow("terminated");
  });
});

describe("a contract's next billing date", () => {
  test("is set", async () => {
    const { contract, answer, topics } = openStore();
    const id = await contract();
    const date = "2027-01-15T00:00:00Z";
    expect(await answer(setNextBillingDate, { id, date })).toEqual({
      contract: { id, nextBillingDate: date },
      userErrors: [],
    });
    expect((await topics()).slice(1)).toEqual(["subscription_contracts/update"]);
  });

  test("cannot be a past day, nor be set after the contract has ended", async () => {
    const { store, contract, answer } = openStore();
    const id = await contract();
    const refusal = { contract: null, userErrors: [{ code: "INVALID" }] };
    expect(await answer(setNextBillingDate, { id, date: "2026-11-19T00:00:00Z" })).toMatchObject(refusal);
    expect(
      (await answer(setNextBillingDate, { id, date: "2026-11-21T00:00:00Z" })).contract.nextBillingDate,
    ).toBe("2026-11-21T00:00:00Z");
    store.merchant.cancel(id);
    expect(await answer(setNextBillingDate, { id, date: "2027-01-15T00:00:00Z" })).toMatchObject(refusal);
  });
});
