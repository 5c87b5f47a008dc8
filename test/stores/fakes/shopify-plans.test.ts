/** The fake Shopify keeps selling plans of this app and of others as Shopify documents it. */
import { describe, expect, test } from "vitest";
import {
  createPlanGroup,
  deletePlanGroup,
  listPlanGroups,
  readPlanGroup,
} from "../../../src/stores/shopify/documents.ts";
import { type Json, openStore } from "../shopify/store.ts";

describe("a selling plan group", () => {
  test("shows its plans: how they bill and deliver, and what they take off", async () => {
    const { store, answer } = openStore();
    const id = store.addPlanGroup({
      plans: [
        {
          name: "Every 2 weeks",
          billing: { interval: "WEEK", intervalCount: 4, minCycles: 2, maxCycles: 12 },
          delivery: { interval: "WEEK", intervalCount: 2 },
          prices: [{ percentage: 10 }, { off: 250, afterCycle: 3 }],
        },
        { name: "Pre-order", category: "PRE_ORDER", billing: null, prices: [{ price: 1990 }, { off: 250 }] },
      ],
    });
    const [plan, other] = store.planGroup(id).plans;
    expect(await answer(readPlanGroup, { id })).toEqual({
      id,
      appId: null,
      merchantCode: "subscription",
      sellingPlans: {
        nodes: [
          {
            id: plan!.id,
            name: "Every 2 weeks",
            category: "SUBSCRIPTION",
            billingPolicy: {
              __typename: "SellingPlanRecurringBillingPolicy",
              interval: "WEEK",
              intervalCount: 4,
              minCycles: 2,
              maxCycles: 12,
            },
            deliveryPolicy: {
              __typename: "SellingPlanRecurringDeliveryPolicy",
              interval: "WEEK",
              intervalCount: 2,
            },
            pricingPolicies: [
              {
                __typename: "SellingPlanFixedPricingPolicy",
                adjustmentType: "PERCENTAGE",
                adjustmentValue: {
                  __typename: "SellingPlanPricingPolicyPercentageValue",
                  percentage: 10,
                },
              },
              { __typename: "SellingPlanRecurringPricingPolicy" },
            ],
          },
          {
            id: other!.id,
            name: "Pre-order",
            category: "PRE_ORDER",
            billingPolicy: { __typename: "SellingPlanFixedBillingPolicy" },
            deliveryPolicy: { __typename: "SellingPlanFixedDeliveryPolicy" },
            pricingPolicies: [
              {
                __typename: "SellingPlanFixedPricingPolicy",
                adjustmentType: "PRICE",
                adjustmentValue: { __typename: "MoneyV2", amount: "19.9", currencyCode: "EUR" },
              },
              {
                __typename: "SellingPlanFixedPricingPolicy",
                adjustmentType: "FIXED_AMOUNT",
                adjustmentValue: { __typename: "MoneyV2", amount: "2.5", currencyCode: "EUR" },
              },
            ],
          },
        ],
      },
    });
    expect(await answer(readPlanGroup, { id: "gid://shopify/SellingPlanGroup/1" })).toBeNull();
  });

  test("sends webhooks when it is changed and removed", async () => {
    const { store, answer } = openStore();
    const id = store.addPlanGroup({ plans: [{ name: "Monthly" }, { name: "Yearly" }] });
    const kept = store.planGroup(id).plans[0]!.id;
    store.changePlanGroup(id, { plans: [{ id: kept, prices: [{ percentage: 5 }] }, { name: "Weekly" }] });
    const { nodes } = (await answer(readPlanGroup, { id })).sellingPlans;
    expect(nodes).toMatchObject([
      { id: kept, name: "Monthly", pricingPolicies: [{ adjustmentValue: { percentage: 5 } }] },
      { name: "Weekly" },
    ]);
    store.removePlanGroup(id);
    expect(await answer(readPlanGroup, { id })).toBeNull();
    expect(() => store.changePlanGroup(id, { plans: [] })).toThrow(id);
    const told = await store.webhooks();
    expect(told.map(({ topic }) => topic)).toEqual([
      "selling_plan_groups/create",
      "selling_plan_groups/update",
      "selling_plan_groups/delete",
    ]);
    for (const { body } of told) expect(JSON.parse(body)).toMatchObject({ admin_graphql_api_id: id });
  });

  test("is listed with the others, page by page", async () => {
    const { store, answer } = openStore();
    const made = Array.from({ length: 12 }, () => store.addPlanGroup({ plans: [] }));
    const first: Json = await answer(listPlanGroups);
    expect(first.pageInfo.hasNextPage).toBe(true);
    const second: Json = await answer(listPlanGroups, { after: first.pageInfo.endCursor });
    expect(second.pageInfo.hasNextPage).toBe(false);
    expect([...first.nodes, ...second.nodes].map(({ id }) => id)).toEqual(made);
  });

  test("names the lines that its plans sell, unless they have a name", async () => {
    const { store, contract } = openStore();
    const group = store.addPlanGroup({ plans: [{ name: "Weekly" }] });
    const sellingPlanId = store.planGroup(group).plans[0]!.id;
    const nameOf = async (change: Json) => {
      const id = await contract((input) => Object.assign(input.lines[0].line, change));
      return store.contract(id).lines[0]!.sellingPlanName;
    };
    expect(await nameOf({ sellingPlanId })).toBe("Weekly");
    expect(await nameOf({ sellingPlanId, sellingPlanName: "Each week" })).toBe("Each week");
    expect(await nameOf({})).toBeNull();
  });
});

describe("groups of other apps", () => {
  test("are neither listed nor found, and cannot be changed", async () => {
    const { store, answer } = openStore();
    const id = store.addPlanGroup({ isOurs: false, plans: [{}] });
    expect(await answer(readPlanGroup, { id })).toBeNull();
    expect((await answer(listPlanGroups)).nodes).toEqual([]);
    expect((await answer(deletePlanGroup, { id })).userErrors).toMatchObject([
      { code: "GROUP_DOES_NOT_EXIST" },
    ]);
    expect(store.planGroups()).toHaveLength(1);
    expect(await store.webhooks()).toEqual([]);
  });

  test("sell by plans that no contract of ours can have, like unknown ones", async () => {
    const { store, create } = openStore();
    const group = store.addPlanGroup({ isOurs: false, plans: [{}] });
    for (const sellingPlanId of [store.planGroup(group).plans[0]!.id, "gid://shopify/SellingPlan/1"]) {
      const { contract, userErrors } = await create((input) =>
        Object.assign(input.lines[0].line, { sellingPlanId }),
      );
      expect([contract, userErrors]).toMatchObject([null, [{ code: "INVALID" }]]);
    }
  });
});

test("a group needs a plan, and products that exist", async () => {
  const { store, answer } = openStore();
  store.unknownProducts.add("gid://shopify/Product/9");
  const create = async (sellingPlansToCreate: Json[], productIds: string[]) =>
    (await answer(createPlanGroup, { input: { sellingPlansToCreate }, resources: { productIds } }))
      .userErrors;
  expect(await create([], [])).toMatchObject([{ code: "SELLING_PLAN_COUNT_LOWER_BOUND" }]);
  expect(await create([{ name: "Weekly" }], ["gid://shopify/Product/9"])).toMatchObject([
    { code: "PRODUCT_DOES_NOT_EXIST" },
  ]);
  expect(store.planGroups()).toEqual([]);
});
