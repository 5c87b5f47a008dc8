import { parseDate, parseInstantIn, startOfDay } from "../../base/lib/time/dates.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { answerList, pageAnswer } from "../../kit/http/list/list-answer.ts";
import { presentAccountEpisode } from "./present.ts";
import { listAccountEpisodes } from "./queries.ts";

const { AccountEpisodeList, EpisodeQuery } = deferred(() => import("./schemas.ts"));

/** The operations on all of an account's episodes, for staff. Those of one subscription are in billing/routes.ts. */
export const dunningOperations = [
  operation({
    id: "listAllDunningEpisodes",
    tag: "Billing",
    credentials: "either",
    resource: "billing",
    method: "get",
    path: "/api/dunning-episodes",
    summary: "List all dunning episodes",
    description:
      "The failed payments of all subscriptions, oldest first: who owes how much, why it failed and when it is tried again. `status=OPEN,AWAITING_CUSTOMER` lists those that are still owed.",
    query: EpisodeQuery,
    success: pageAnswer("A page of episodes.", AccountEpisodeList),
    handler: ({ c, ctx, query }) => {
      const { status, next_retry_before: before } = query;
      const filters = {
        status: status && JSON.stringify(status),
        next_retry_before: before && instantOf(before, ctx.account.timezone),
      };
      return answerList(
        { c, query },
        (page) => listAccountEpisodes(ctx, { ...page, order: "asc" }, filters),
        presentAccountEpisode,
      );
    },
  }),
];

/** A date-time, or the beginning of a date's day. */
function instantOf(text: string, timezone: string): string {
  return parseInstantIn(text, timezone) ?? startOfDay(parseDate(text, timezone) ?? "", timezone);
}
