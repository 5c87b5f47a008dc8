import { demoId } from "../../base/demo.ts";
import { answerRecord, answerRemoved } from "../../kit/http/answer-record.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { pathId, sortOrder } from "../../kit/http/document/params.ts";
import { answerList, pageAnswer } from "../../kit/http/list/list-answer.ts";
import { answersDry, previewed } from "../../kit/http/preview/previewed.ts";
import { changeEntity, createEntity, removeEntity } from "./actions.ts";
import { presentEntity } from "./present.ts";
import { getEntity, listEntities } from "./queries.ts";

const { EntityCreate, EntityData, EntityList, EntityQuery, EntityUpdate } = deferred(
  () => import("./schemas.ts"),
);

const path = "/api/subscriptions/entities";
const params = pathId("entity", demoId("entity", 1));
const common = { tag: "Entities", credentials: "apiKey", resource: "entities" } as const;

export const entityOperations = [
  operation({
    ...common,
    id: "listEntities",
    method: "get",
    path,
    summary: "List entities",
    description: "Newest first by default. Names and types sort ascending.",
    query: EntityQuery,
    success: pageAnswer("A page of entities.", EntityList),
    handler: ({ c, ctx, query }) => {
      const {
        page: _page,
        limit: _limit,
        cursor: _cursor,
        sort_by,
        sort_order,
        is_active,
        ...others
      } = query;
      const sort = sortOrder(sort_by, sort_order, ["name", "entity_type"]);
      // Few entities are inactive: that filter has an index of its own.
      const active = is_active === false ? { is_inactive: 1 } : { is_active: is_active && 1 };
      return answerList(
        { c, query },
        (page) => listEntities(ctx, { ...page, ...sort }, { ...others, ...active }),
        (entity) => presentEntity(entity, ctx.account),
      );
    },
  }),
  operation({
    ...common,
    id: "createEntity",
    ...previewed,
    method: "post",
    path,
    summary: "Create an entity",
    description: "Adds an entity to a profile. Lines of new subscriptions can then name it.",
    body: EntityCreate,
    errors: ["UNKNOWN_PROFILE"],
    success: { status: 200, description: "The new entity.", schema: EntityData },
    handler: ({ ctx, body }) => answerRecord(createEntity(ctx, body), presentEntity, ctx.account),
    answerAgain: ({ ctx, created }) =>
      answerRecord(getEntity(ctx, created.entity), presentEntity, ctx.account),
  }),
  operation({
    ...common,
    id: "getEntity",
    method: "get",
    path: `${path}/{id}`,
    summary: "Get an entity",
    description: "One entity by id. Deleted entities are not found.",
    params,
    success: { status: 200, description: "The entity.", schema: EntityData },
    handler: ({ ctx, params }) => answerRecord(getEntity(ctx, params.id), presentEntity, ctx.account),
  }),
  operation({
    ...common,
    id: "updateEntity",
    ...previewed,
    method: "put",
    path: `${path}/{id}`,
    summary: "Change an entity",
    description:
      "Changes the fields that the body names. Subscriptions keep the label that they were made with.",
    params,
    body: EntityUpdate,
    success: { status: 200, description: "The changed entity.", schema: EntityData },
    handler: ({ ctx, params, body }) =>
      answerRecord(changeEntity(ctx, params.id, body), presentEntity, ctx.account),
  }),
  operation({
    ...common,
    id: "deleteEntity",
    ...previewed,
    method: "delete",
    path: `${path}/{id}`,
    summary: "Delete an entity",
    description: "Subscriptions of the entity keep it and its label.",
    params,
    success: { status: 204, description: "Deleted." },
    alsoAnswers: answersDry("the entity that would be deleted", EntityData),
    handler: ({ c, ctx, params }) =>
      answerRemoved({ c, ctx }, removeEntity(ctx, params.id), presentEntity, ctx.account),
  }),
];
