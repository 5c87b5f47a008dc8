import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { answerList, pageAnswer } from "../../kit/http/list/list-answer.ts";
import { listUnsupported } from "./unsupported.ts";

const { UnsupportedContractList, UnsupportedContractQuery } = deferred(() => import("./schemas.ts"));

export const contractOperations = [
  operation({
    tag: "Account",
    credentials: "either",
    resource: "account",
    id: "listUnsupportedContracts",
    method: "get",
    path: "/api/account/store/unsupported-contracts",
    summary: "List contracts that could not be taken over",
    description:
      "Contracts of the store's checkout that could not become subscriptions, each with why, newest first: with terms that a subscription cannot have. Nobody bills them. A contract leaves the list when it ends, and when it becomes a subscription because what stood in the way was changed at the store.",
    query: UnsupportedContractQuery,
    success: pageAnswer("A page of contracts.", UnsupportedContractList),
    handler: ({ c, ctx, query }) =>
      answerList(
        { c, query },
        (page) => listUnsupported(ctx, page),
        ({ account_seq: _, ...contract }) => contract,
      ),
  }),
];
