import { demoId, demoReasonLabels } from "../../base/demo.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { pathId } from "../../kit/http/document/params.ts";
import { createReason, editReason, removeReason, reorderReasons } from "./actions.ts";
import { presentReason } from "./present.ts";
import { getReason, listActiveReasons, listReasons } from "./queries.ts";
import { type ReasonKind, reasonKinds } from "./tables.ts";

const { ReasonCreate, ReasonData, ReasonList, ReasonReordered, ReasonUpdate, reasonReorder } = deferred(
  () => import("./schemas.ts"),
);

const titles = { skip: "Skip", pause: "Pause", cancellation: "Cancellation" };

export const reasonOperations = reasonKinds.flatMap(operationsOn);

/** The operations on one kind of reasons: the same code, three times. */
function operationsOn(kind: ReasonKind) {
  const path = `/api/subscriptions/${kind}-reasons`;
  const [one, many] = [`${kind} reason`, `${kind} reasons`];
  const name = `${titles[kind]}Reason`;
  const exampleIds = demoReasonLabels[kind].map((_, index) => demoId(`${kind}_reason`, index + 1));
  const params = pathId(one, demoId(`${kind}_reason`, 1));
  const common = { tag: `${titles[kind]} reasons`, credentials: "either", resource: "reasons" } as const;
  return [
    operation({
      ...common,
      id: `list${name}s`,
      method: "get",
      path,
      summary: `List ${many}`,
      description: `The ${many} of the account by position. A customer's token lists the active ones only.`,
      customers: true,
      success: { status: 200, description: `The ${many}.`, schema: ReasonList },
      handler: async ({ ctx }) => {
        const list = ctx.actor.type === "customer" ? listActiveReasons : listReasons;
        return (await list(ctx, kind)).map((reason) => presentReason(reason, ctx.account));
      },
    }),
    operation({
      ...common,
      id: `create${name}`,
      method: "post",
      path,
      summary: `Create a ${one}`,
      description: `Adds a ${one} that customers can choose at once. Without a position it goes last.`,
      body: ReasonCreate,
      success: { status: 200, description: `The new ${one}.`, schema: ReasonData },
      handler: async ({ ctx, body }) => presentReason(await createReason(ctx, kind, body), ctx.account),
      answerAgain: async ({ ctx, created }) =>
        presentReason(await getReason(ctx, kind, created.reason), ctx.account),
    }),
    operation({
      ...common,
      id: `get${name}`,
      method: "get",
      path: `${path}/{id}`,
      summary: `Get a ${one}`,
      description: `One ${one} by id, active or not. Deleted reasons are not found.`,
      params,
      success: { status: 200, description: `The ${one}.`, schema: ReasonData },
      handler: async ({ ctx, params }) => presentReason(await getReason(ctx, kind, params.id), ctx.account),
    }),
    operation({
      ...common,
      id: `update${name}`,
      method: "put",
      path: `${path}/{id}`,
      summary: `Change a ${one}`,
      description:
        "Changes the fields that the body names. What was recorded with the reason keeps its old label.",
      params,
      body: ReasonUpdate,
      success: { status: 200, description: `The changed ${one}.`, schema: ReasonData },
      handler: async ({ ctx, params, body }) =>
        presentReason(await editReason(ctx, kind, params.id, body), ctx.account),
    }),
    operation({
      ...common,
      id: `delete${name}`,
      method: "delete",
      path: `${path}/{id}`,
      summary: `Delete a ${one}`,
      description: "Nobody can choose it any more. What was recorded with the reason keeps its label.",
      params,
      success: { status: 204, description: "Deleted." },
      handler: async ({ ctx, params }) => {
        await removeReason(ctx, kind, params.id);
      },
    }),
    operation({
      ...common,
      id: `reorder${name}s`,
      method: "post",
      path: `${path}/reorder`,
      summary: `Reorder the ${many}`,
      description: "The list names every reason exactly once. All of them change, or none.",
      body: async () => (await reasonReorder())(`${name}Reorder`, exampleIds),
      success: { status: 200, description: "Reordered.", schema: ReasonReordered },
      handler: async ({ ctx, body }) => {
        await reorderReasons(ctx, kind, body.ordered_ids);
        return { success: true };
      },
      answerAgain: () => ({ success: true }),
    }),
  ];
}
