import { z } from "@hono/zod-openapi";
import { demoPlanIds } from "../../base/demo.ts";
import { answerAffecting, answerRecord, answerRemoved } from "../../kit/http/answer-record.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { storeIdInPath } from "../../kit/http/document/params.ts";
import { answerList, pageAnswer } from "../../kit/http/list/list-answer.ts";
import { answersDry, previewed } from "../../kit/http/preview/previewed.ts";
import { changeSellingPlan, createSellingPlan, removeSellingPlan } from "./actions.ts";
import { presentSellingPlan } from "./present.ts";
import { countOnPlan, getSellingPlan, listSellingPlans } from "./queries.ts";

const {
  SellingPlanChanged,
  SellingPlanCreate,
  SellingPlanData,
  SellingPlanList,
  SellingPlanQuery,
  SellingPlanUpdate,
} = deferred(() => import("./schemas.ts"));

const path = "/api/subscriptions/selling-plans";
const params = z.object({
  id: storeIdInPath("SellingPlan").openapi({
    param: { name: "id", in: "path" },
    description:
      "The id that the plan was created with. A store's own id may be plain, such as 123, or gid://shopify/SellingPlan/123.",
    example: demoPlanIds.monthly,
  }),
});
const common = { tag: "Selling plans", credentials: "either", resource: "plans" } as const;

export const sellingPlanOperations = [
  operation({
    ...common,
    id: "listSellingPlans",
    method: "get",
    path,
    summary: "List selling plans",
    description: "The account's selling plans, active or not, newest first.",
    query: SellingPlanQuery,
    success: pageAnswer("A page of plans.", SellingPlanList),
    handler: ({ c, ctx, query }) =>
      answerList(
        { c, query },
        (page) => listSellingPlans(ctx, page),
        (plan) => presentSellingPlan(plan, ctx.account),
      ),
  }),
  operation({
    ...common,
    id: "createSellingPlan",
    ...previewed,
    method: "post",
    path,
    summary: "Create a selling plan",
    description:
      "A plan with an id of your own is also made at the connected store, which gives it the id `store_plan_id`; one with the store's id is the plan that the store has. By default deliveries have the interval of the billing; one billing may pay for several deliveries (prepaid).",
    body: SellingPlanCreate,
    errors: ["INVALID_STATE"],
    success: { status: 201, description: "The new plan.", schema: SellingPlanData },
    alsoAnswers: answersDry("the plan as it would be", SellingPlanData),
    handler: ({ ctx, body }) => answerRecord(createSellingPlan(ctx, body), presentSellingPlan, ctx.account),
    answerAgain: ({ ctx, body }) =>
      answerRecord(getSellingPlan(ctx, body.id), presentSellingPlan, ctx.account),
  }),
  operation({
    ...common,
    id: "getSellingPlan",
    method: "get",
    path: `${path}/{id}`,
    summary: "Get a selling plan",
    description: "One selling plan by the id that it was created with, active or not.",
    params,
    success: { status: 200, description: "The plan.", schema: SellingPlanData },
    handler: ({ ctx, params }) =>
      answerRecord(getSellingPlan(ctx, params.id), presentSellingPlan, ctx.account),
  }),
  operation({
    ...common,
    id: "updateSellingPlan",
    ...previewed,
    method: "put",
    path: `${path}/{id}`,
    summary: "Change a selling plan",
    description: "The change applies to new lines. Existing lines keep the terms on which they were sold.",
    params,
    body: SellingPlanUpdate,
    success: { status: 200, description: "The changed plan.", schema: SellingPlanChanged },
    handler: ({ ctx, params, body }) =>
      answerAffecting(
        ctx,
        answerRecord(changeSellingPlan(ctx, params.id, body), presentSellingPlan, ctx.account),
        () => countOnPlan(ctx, params.id),
      ),
  }),
  operation({
    ...common,
    id: "deleteSellingPlan",
    ...previewed,
    method: "delete",
    path: `${path}/{id}`,
    summary: "Delete a selling plan",
    description: "Refused with INVALID_STATE while a subscription that has not ended uses the plan.",
    params,
    errors: ["INVALID_STATE"],
    success: { status: 204, description: "Deleted." },
    alsoAnswers: answersDry("the plan that would be deleted", SellingPlanData),
    handler: ({ c, ctx, params }) =>
      answerRemoved({ c, ctx }, removeSellingPlan(ctx, params.id), presentSellingPlan, ctx.account),
  }),
];
