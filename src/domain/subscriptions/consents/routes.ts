import { getTableColumns, sql } from "drizzle-orm";
import { listReader } from "../../../base/db/list/listing.ts";
import { demoId } from "../../../base/demo.ts";
import { deferred } from "../../../kit/http/deferred.ts";
import { operation } from "../../../kit/http/document/operation.ts";
import { pathId } from "../../../kit/http/document/params.ts";
import { pageAnswer } from "../../../kit/http/list/list-answer.ts";
import { answerListWithin } from "../list-within.ts";
import { type Consent, consents } from "./tables.ts";

const { ConsentList, ConsentQuery } = deferred(() => import("./schemas.ts"));

/** The operation that reads what customers have agreed to. */
export const consentOperations = [
  operation({
    tag: "Subscriptions",
    credentials: "either",
    resource: "subscriptions",
    id: "listConsents",
    method: "get",
    path: "/api/subscriptions/{id}/consents",
    summary: "List consents",
    description: "What the customer has agreed to when the subscription was created, word by word.",
    params: pathId("subscription", demoId("subscription", 1)),
    query: ConsentQuery,
    success: pageAnswer("A page of consents.", ConsentList),
    handler: (input) => answerListWithin(input, listConsents, presentConsent),
  }),
];

const listConsents = listReader({
  table: consents,
  columns: getTableColumns(consents),
  scope: (p) => sql`${consents.account_seq} = ${p("account_seq")}
    AND ${consents.subscription_id} = ${p("subscription_id")}`,
  tiebreaker: consents.id,
  sorts: { created_at: consents.created_at },
  filters: {},
});

function presentConsent({ id, text, sha256, channel, source, agreed_at, created_at }: Consent) {
  return { id, text, sha256, channel, source, agreed_at, created_at };
}
