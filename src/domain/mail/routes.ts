import type { z } from "@hono/zod-openapi";
import { endOfDay, later, parseDate, parseInstantIn, startOfDay } from "../../base/lib/time/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import { answerRecord } from "../../kit/http/answer-record.ts";
import { deferred, type Loaded } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { answerList, pageAnswer } from "../../kit/http/list/list-answer.ts";
import { changeMailSettings } from "./actions/change-settings.ts";
import { readContent } from "./actions/read-content.ts";
import { resendMail } from "./actions/resend.ts";
import { sendTestMail } from "./actions/send-test.ts";
import { kindNamed, type MailKind, testMailType } from "./kinds.ts";
import type { MailQuery as MailQuerySchema } from "./log-schemas.ts";
import { presentMail } from "./present.ts";
import { filtersByStatus, filtersByTime, findMailEndpoint, getMail, listMails } from "./queries.ts";
import { mailSettingsOf } from "./settings.ts";

const { DryRunQuery } = deferred(() => import("../../kit/http/preview/dry-run-query.ts"));
const { MailContent, MailData, MailList, mailParams, MailQuery } = deferred(() => import("./log-schemas.ts"));
const { MailSettingsData, MailSettingsUpdate, MailTest } = deferred(() => import("./settings-schemas.ts"));

const settings = {
  tag: "Mails",
  credentials: "either",
  resource: "account",
  path: "/api/account/mail",
} as const;
const common = { tag: "Mails", credentials: "either", resource: "mails" } as const;
const one = { ...common, path: "/api/mails/{id}", params: mailParams } as const;

export const mailSettingsOperations = [
  operation({
    ...settings,
    id: "getMailSettings",
    method: "get",
    summary: "Get the settings of mails to customers",
    description:
      "Who sends them, from which address, which kinds, and how long before a charge. Credentials are not shown.",
    success: { status: 200, description: "The settings.", schema: MailSettingsData },
    handler: async ({ ctx }) => ({ data: mailSettingsOf(ctx.account, await findMailEndpoint(ctx)) }),
  }),
  operation({
    ...settings,
    id: "updateMailSettings",
    method: "put",
    summary: "Change the settings of mails to customers",
    description:
      "Changes the settings that are named. Setting the first provider switches mails on; switching them off ends those that wait. The provider log is for local development and refused elsewhere.",
    query: DryRunQuery,
    body: MailSettingsUpdate,
    errors: ["VERSION_CONFLICT"],
    success: { status: 200, description: "The settings as they now are.", schema: MailSettingsData },
    handler: async ({ ctx, query: { dry_run: dryRun = false }, body }) => ({
      data: await changeMailSettings(ctx, { changes: body, dryRun }),
    }),
  }),
  operation({
    ...settings,
    id: "sendTestMail",
    method: "post",
    path: "/api/account/mail/test",
    summary: "Send a test mail",
    description:
      "An example of a mail with the account's settings, also before they are switched on. At most 10 an hour. What came of it is among the mails.",
    body: MailTest,
    errors: ["INVALID_STATE"],
    success: { status: 202, description: "The mail, which is being sent.", schema: MailData },
    handler: ({ ctx, body }) => answerRecord(sendTestMail(ctx, body.to), presentMail, ctx.realNow),
    answerAgain: ({ ctx, created }) => showMail(ctx, created.mail),
  }),
];

export const mailOperations = [
  operation({
    ...common,
    id: "listMails",
    method: "get",
    path: "/api/mails",
    summary: "List mails to customers",
    description: "What customers were written, and what came of it, of the last 400 days; newest first.",
    query: MailQuery,
    success: pageAnswer("A page of mails.", MailList),
    handler: ({ c, ctx, query }) =>
      answerList(
        { c, query },
        (page) => listMails(ctx, page, parseFilters(query, ctx)),
        (mail) => presentMail(mail, ctx.realNow),
      ),
  }),
  operation({
    ...one,
    id: "getMail",
    method: "get",
    summary: "Get a mail to a customer",
    description: "One mail by id, and what came of it.",
    success: { status: 200, description: "The mail.", schema: MailData },
    handler: ({ ctx, params }) => showMail(ctx, params.id),
  }),
  operation({
    ...one,
    id: "getMailContent",
    method: "get",
    path: "/api/mails/{id}/content",
    summary: "Read a mail to a customer",
    description:
      "The provider log keeps the account's last 100 mails as they were; others are rendered anew, which the answer says. Mails that sign a customer in are never shown.",
    errors: ["INVALID_STATE"],
    success: { status: 200, description: "The mail in words.", schema: MailContent },
    handler: async ({ ctx, params }) => ({ data: await readContent(ctx, params.id) }),
  }),
  operation({
    ...one,
    id: "resendMail",
    method: "post",
    path: "/api/mails/{id}/resend",
    summary: "Send a mail to a customer again",
    description:
      "Composed anew, of the records as they are now, with all tries before it. Mails that sign a customer in are not sent again: the customer asks for another.",
    errors: ["INVALID_STATE"],
    success: { status: 202, description: "The mail, which is being sent.", schema: MailData },
    handler: ({ ctx, params }) => answerRecord(resendMail(ctx, params.id), presentMail, ctx.realNow),
    answerAgain: ({ ctx, params }) => showMail(ctx, params.id),
  }),
];

async function showMail(ctx: Ctx, id: string) {
  return { data: presentMail(await getMail(ctx, id), ctx.realNow) };
}

type Query = z.output<Loaded<typeof MailQuery>> & z.output<typeof MailQuerySchema>;

/** The filters of listMails for a query. A date is its whole day in the account's time zone. */
function parseFilters({ status, kind, profile_id, from, to }: Query, { account: { timezone } }: Ctx) {
  const dayOf = (text: string) => parseDate(text, timezone) ?? "";
  return {
    ...filtersByStatus(status),
    event_types: kind && JSON.stringify(kind.flatMap(typesOf)),
    profile_id,
    ...filtersByTime(
      from && (parseInstantIn(from, timezone) ?? startOfDay(dayOf(from), timezone)),
      to && (parseInstantIn(to, timezone) ?? later(endOfDay(dayOf(to), timezone), -1)),
    ),
  };
}

function typesOf(kind: MailKind | "test"): readonly string[] {
  return kind === "test" ? [testMailType] : kindNamed(kind).events;
}
