import type { Listed } from "../../base/db/list/listing.ts";
import type { Ctx } from "../../kit/context.ts";
import { answerList, type ListRequest, type NewestPage } from "../../kit/http/list/list-answer.ts";
import { getSubscription } from "./queries.ts";

type Within = { subscription_id: string };

/** Answers with a page of what a subscription has, newest first. Throws NOT_FOUND where there is no such subscription. */
export function answerListWithin<Row, Item>(
  { c, ctx, params: { id }, query }: ListRequest & { ctx: Ctx; params: { id: string } },
  list: (ctx: Ctx, page: NewestPage, filters: Record<string, never>, within: Within) => Promise<Listed<Row>>,
  present: (row: Row) => Item,
) {
  const readPage = async (page: NewestPage): Promise<Listed<Row>> => {
    const reading = list(ctx, page, {}, { subscription_id: id });
    const [listed] = await Promise.all([reading, getSubscription(ctx, id)]);
    return listed;
  };
  return answerList({ c, query }, readPage, present);
}
