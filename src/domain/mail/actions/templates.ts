import { and, eq } from "drizzle-orm";
import { insertAccountEntry } from "../../../base/accounts/history.ts";
import type { PortalLocale } from "../../../base/accounts/portal-settings.ts";
import { commit } from "../../../base/db/commit.ts";
import { build, statement } from "../../../base/db/statement.ts";
import { invalid, notFound } from "../../../base/errors.ts";
import type { Ctx } from "../../../kit/context.ts";
import { kindNamed, type MailKind } from "../kinds.ts";
import { findTemplate } from "../queries.ts";
import { type MailTemplateRow, mailTemplates } from "../tables.ts";
import { checkTemplate, type MailTemplate, templateParts } from "../template-rules.ts";

/** Which mail a template words, and in which language. */
export type TemplateKey = { kind: MailKind; locale: PortalLocale };

/** Throws NOT_FOUND where the merchant has no words of their own. */
export async function getTemplate(ctx: Ctx, { kind, locale }: TemplateKey): Promise<MailTemplateRow> {
  const template = await findTemplate(ctx, kind, locale);
  if (!template) throw notFound("Template");
  return template;
}

/** Sets the merchant's words, with an entry in the history. Throws VALIDATION_FAILED for names that the kind does not have. */
export async function setTemplate(
  ctx: Ctx,
  { kind, locale }: TemplateKey,
  { words, dryRun }: { words: MailTemplate; dryRun: boolean },
): Promise<MailTemplateRow> {
  requireKnownNames(kind, words);
  const before = await findTemplate(ctx, kind, locale);
  const template = {
    ...{ account_seq: ctx.account.seq, kind, locale, ...words },
    ...{ created_at: before?.created_at ?? ctx.now, updated_at: ctx.now },
  };
  if (dryRun || (before && templateParts.every((part) => before[part] === words[part])))
    return before && !dryRun ? before : template;
  const upsert = build
    .insert(mailTemplates)
    .values(template)
    .onConflictDoUpdate({
      target: [mailTemplates.account_seq, mailTemplates.kind, mailTemplates.locale],
      set: { ...words, updated_at: ctx.now },
    });
  await commit(ctx, [statement(upsert), entryOf(ctx, { kind, locale })]);
  return template;
}

/** Our words take the place of the merchant's again. Throws NOT_FOUND where they do already. */
export async function removeTemplate(ctx: Ctx, { kind, locale }: TemplateKey): Promise<void> {
  await getTemplate(ctx, { kind, locale });
  const isIt = and(
    eq(mailTemplates.account_seq, ctx.account.seq),
    eq(mailTemplates.kind, kind),
    eq(mailTemplates.locale, locale),
  );
  await commit(ctx, [statement(build.delete(mailTemplates).where(isIt)), entryOf(ctx, { kind, locale })]);
}

function requireKnownNames(kind: MailKind, words: MailTemplate): void {
  const faults = templateParts.flatMap((part) =>
    checkTemplate(kindNamed(kind), words[part], part).map((message) => ({ path: part, message })),
  );
  if (faults.length > 0) throw invalid(faults);
}

/** The history names the template, not its words. */
function entryOf({ account, actor, now }: Ctx, { kind, locale }: TemplateKey) {
  return insertAccountEntry({
    ...{ account: account.seq, action: "account_updated", author: actor, now },
    subject: { type: "account", id: account.id },
    metadata: { fields: [`mail.templates.${kind}.${locale}`] },
  });
}
