import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { answerList, pageAnswer } from "../../kit/http/list/list-answer.ts";
import { answerDeclaration } from "./actions/answer.ts";
import { presentDeclaration } from "./present.ts";
import { getDeclaration, listDeclarations } from "./queries.ts";

const { DeclarationData, DeclarationList, declarationPath, DeclarationQuery, DeclarationUpdate } = deferred(
  () => import("./schemas.ts"),
);

const path = "/api/declarations";
const common = { tag: "Declarations", credentials: "either", resource: "subscriptions" } as const;
const one = { ...common, path: `${path}/{id}`, params: declarationPath } as const;

/** The operations by which staff see and answer what was declared on the pages of leaving. */
export const declarationOperations = [
  operation({
    ...common,
    id: "listDeclarations",
    method: "get",
    path,
    summary: "List declarations",
    description:
      "Cancellations and withdrawals that were declared on the portal's pages of leaving, newest first. `status=TO_DO` lists those that wait for staff.",
    query: DeclarationQuery,
    success: pageAnswer("A page of declarations.", DeclarationList),
    handler: ({ c, ctx, query }) => {
      const filters = { status: query.status, kind: query.kind };
      return answerList({ c, query }, (page) => listDeclarations(ctx, page, filters), presentDeclaration);
    },
  }),
  operation({
    ...one,
    id: "getDeclaration",
    method: "get",
    summary: "Get a declaration",
    description: "One declaration by id: what was typed, and what has become of it.",
    success: { status: 200, description: "The declaration.", schema: DeclarationData },
    handler: async ({ ctx, params }) => ({ data: presentDeclaration(await getDeclaration(ctx, params.id)) }),
  }),
  operation({
    ...one,
    id: "answerDeclaration",
    method: "put",
    summary: "Answer a declaration",
    description:
      "Records what staff have done about a declaration that is TO_DO. It changes no subscription and refunds nothing.",
    body: DeclarationUpdate,
    errors: ["INVALID_STATE", "VERSION_CONFLICT"],
    success: { status: 200, description: "The declaration as it now is.", schema: DeclarationData },
    handler: async ({ ctx, params, body }) => ({
      data: presentDeclaration(await answerDeclaration(ctx, { id: params.id, request: body })),
    }),
  }),
];
