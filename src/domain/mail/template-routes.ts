import { portalLocales } from "../../base/accounts/portal-settings.ts";
import { notFound } from "../../base/errors.ts";
import { answerRecord } from "../../kit/http/answer-record.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { previewMail } from "./actions/preview.ts";
import { getTemplate, removeTemplate, setTemplate, type TemplateKey } from "./actions/templates.ts";
import { mailKinds } from "./kinds.ts";
import { presentTemplate } from "./present.ts";

const { DryRunQuery } = deferred(() => import("../../kit/http/preview/dry-run-query.ts"));
const { MailPreview, MailPreviewRequest, MailTemplateData, MailTemplateUpdate, templateParams } = deferred(
  () => import("./template-schemas.ts"),
);

const path = "/api/account/mail/templates/{kind}/{locale}";
const common = {
  tag: "Mails",
  credentials: "either",
  resource: "account",
  path,
  params: templateParams,
} as const;

/** Throws NOT_FOUND for a kind or a language that there is not. */
function keyOf(params: { kind: string; locale: string }): TemplateKey {
  const kind = mailKinds.find((one) => one === params.kind);
  const locale = portalLocales.find((one) => one === params.locale);
  if (kind === undefined || locale === undefined) throw notFound("Template");
  return { kind, locale };
}

export const mailTemplateOperations = [
  operation({
    ...common,
    id: "getMailTemplate",
    method: "get",
    summary: "Get the shop's words for a mail",
    description:
      "The merchant's own subject, intro and closing. Without any the mail has ours, and this is 404.",
    success: { status: 200, description: "The words.", schema: MailTemplateData },
    handler: ({ ctx, params }) => answerRecord(getTemplate(ctx, keyOf(params)), presentTemplate),
  }),
  operation({
    ...common,
    id: "updateMailTemplate",
    method: "put",
    summary: "Set the shop's words for a mail",
    description:
      "Plain text. Names in braces, such as {first_name}, stand for what is known of the customer and the subscription; each kind has names of its own, and another is refused with the nearest. The facts and the button stay as they are.",
    query: DryRunQuery,
    body: MailTemplateUpdate,
    success: { status: 200, description: "The words as they now are.", schema: MailTemplateData },
    handler: ({ ctx, params, query: { dry_run: dryRun = false }, body }) =>
      answerRecord(setTemplate(ctx, keyOf(params), { words: body, dryRun }), presentTemplate),
  }),
  operation({
    ...common,
    id: "deleteMailTemplate",
    method: "delete",
    summary: "Take the shop's words for a mail back",
    description: "The mail has our words again.",
    success: { status: 204, description: "Deleted." },
    handler: ({ ctx, params }) => removeTemplate(ctx, keyOf(params)),
  }),
  operation({
    ...common,
    id: "previewMail",
    method: "post",
    path: `${path}/preview`,
    summary: "Preview a mail",
    description:
      "As it would look now, of one of the account's subscriptions or of an example. An event that the subscription has not had is made up. Nothing is sent.",
    idempotent: false,
    body: MailPreviewRequest,
    errors: ["UNKNOWN_SUBSCRIPTION"],
    success: { status: 200, description: "The mail in words.", schema: MailPreview },
    handler: async ({ ctx, params, body }) => ({
      data: await previewMail(ctx, keyOf(params), body.subscription_id),
    }),
  }),
];
