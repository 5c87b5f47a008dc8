import type { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { isRehearsed } from "../../kit/context.ts";
import { answerRecord } from "../../kit/http/answer-record.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { pathId } from "../../kit/http/document/params.ts";
import { answerList, pageAnswer } from "../../kit/http/list/list-answer.ts";
import { previewed } from "../../kit/http/preview/previewed.ts";
import type { ClosedDayRow } from "../delivery/tables.ts";
import {
  changeClosedDay,
  closedDayOf,
  createClosedDay,
  planCreation,
  planDeletion,
  planUpdate,
  removeClosedDay,
} from "./actions.ts";
import { previewClosedDays } from "./preview.ts";
import { getClosedDay, listClosedDays } from "./queries.ts";
import type { ClosedDayBody } from "./schemas.ts";

const {
  ClosedDayChanged,
  ClosedDayCreate,
  ClosedDayData,
  ClosedDayList,
  ClosedDayPreviewData,
  ClosedDayQuery,
  ClosedDayUpdate,
} = deferred(() => import("./schemas.ts"));

const common = { tag: "Closed days", credentials: "either", resource: "delivery" } as const;
const path = "/api/subscriptions/closed-days";
const params = pathId("closed days", demoId("closed_day", 1));

export const closedDayOperations = [
  operation({
    ...common,
    id: "listClosedDays",
    method: "get",
    path,
    summary: "List closed days",
    description: "Newest first. Where two cover a day, the one that was created first speaks for it.",
    query: ClosedDayQuery,
    success: pageAnswer("A page of closed days.", ClosedDayList),
    handler: ({ c, ctx, query }) =>
      answerList({ c, query }, (page) => listClosedDays(ctx, page), presentClosedDay),
  }),
  operation({
    ...common,
    id: "createClosedDay",
    method: "post",
    path,
    summary: "Close days",
    description:
      "Dates that schedules have on these days are moved as the rule says, until the closed days are deleted; schedules themselves stay. A charge is never moved to before tomorrow, nor to before a date that a reminder has told. Stored next dates follow within moments.",
    ...previewed,
    body: ClosedDayCreate,
    errors: ["UNKNOWN_DELIVERY_SLOT", "VERSION_CONFLICT"],
    success: { status: 201, description: "The closed days.", schema: ClosedDayData },
    alsoAnswers: { 200: { description: "A dry run: what would be moved.", schema: ClosedDayPreviewData } },
    handler: async ({ c, ctx, body }) => {
      const row = await createClosedDay(ctx, body);
      if (!isRehearsed(ctx)) return { data: presentClosedDay(row) };
      const { change } = await planCreation(ctx, body);
      return c.json({ data: await previewClosedDays(ctx, change) }, 200);
    },
    answerAgain: ({ ctx, created }) => answerRecord(getClosedDay(ctx, created.closedDay), presentClosedDay),
  }),
  operation({
    ...common,
    id: "getClosedDay",
    method: "get",
    path: `${path}/{id}`,
    summary: "Get closed days",
    description: "Closed days by id. Deleted ones are not found.",
    params,
    success: { status: 200, description: "The closed days.", schema: ClosedDayData },
    handler: ({ ctx, params: { id } }) => answerRecord(getClosedDay(ctx, id), presentClosedDay),
  }),
  operation({
    ...common,
    id: "updateClosedDay",
    method: "put",
    path: `${path}/{id}`,
    summary: "Change closed days",
    description:
      "Changes the fields that the body names. Dates that had been moved are put back, and those on the days as they now are moved.",
    params,
    ...previewed,
    body: ClosedDayUpdate,
    errors: ["UNKNOWN_DELIVERY_SLOT", "VERSION_CONFLICT"],
    success: {
      status: 200,
      description: "The changed closed days; for a dry run what would be moved.",
      schema: ClosedDayChanged,
    },
    handler: async ({ ctx, params: { id }, body }) => {
      const row = await changeClosedDay(ctx, id, body);
      if (!isRehearsed(ctx)) return { data: presentClosedDay(row) };
      const { change } = await planUpdate(ctx, id, body);
      return { data: await previewClosedDays(ctx, change) };
    },
  }),
  operation({
    ...common,
    id: "deleteClosedDay",
    method: "delete",
    path: `${path}/{id}`,
    summary: "Open closed days again",
    description:
      "Every date that these days had moved is put back where its schedule has it, unless its day has passed.",
    params,
    ...previewed,
    errors: ["VERSION_CONFLICT"],
    success: { status: 204, description: "Deleted." },
    alsoAnswers: { 200: { description: "A dry run: what would be put back.", schema: ClosedDayPreviewData } },
    handler: async ({ c, ctx, params: { id } }) => {
      await removeClosedDay(ctx, id);
      if (!isRehearsed(ctx)) return undefined;
      const { change } = await planDeletion(ctx, id);
      return c.json({ data: await previewClosedDays(ctx, change) }, 200);
    },
  }),
];

function presentClosedDay(row: ClosedDayRow): z.input<typeof ClosedDayBody> {
  const { id, from, to, applies_to, slot_ids, rule, label } = closedDayOf(row);
  return {
    id,
    from,
    to,
    applies_to,
    slot_ids,
    rule,
    label,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
