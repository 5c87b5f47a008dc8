import { DomainError } from "../../../base/errors.ts";
import type { Ctx } from "../../../kit/context.ts";
import { readJson } from "../../../kit/http/json-text.ts";
import { readProspect } from "../../billing/upcoming/prospect.ts";
import { type Composed, putIntoWords, sampleMail } from "../compose.ts";
import { cardOf, factsOfSubscription } from "../facts/subscription.ts";
import type { AnyMail } from "../kinds.ts";
import { findMailEndpoint } from "../queries.ts";
import { mailSettingsOf } from "../settings.ts";
import type { TemplateKey } from "./templates.ts";

/** A mail as it would look, of a subscription or of an example. Throws UNKNOWN_SUBSCRIPTION. */
export async function previewMail(
  ctx: Ctx,
  { kind, locale }: TemplateKey,
  subscriptionId: string | undefined,
): Promise<Omit<Composed, "to">> {
  const sample = sampleMail(ctx, kind);
  const known = subscriptionId === undefined ? sample : await withSubscription(ctx, sample, subscriptionId);
  const settings = mailSettingsOf(ctx.account, await findMailEndpoint(ctx));
  return putIntoWords(ctx, { known, settings, locale });
}

/** The example with what is known of a subscription in the place of its own; an event that it has not had stays made up. */
async function withSubscription(ctx: Ctx, sample: AnyMail, id: string): Promise<AnyMail> {
  const prospect = await readProspect(ctx, id).catch((error) => {
    throw error instanceof DomainError && error.code === "NOT_FOUND" ? newUnknownError() : error;
  });
  const { view } = prospect;
  const { first_name } = readJson(view.profile);
  const card = cardOf(view.method);
  const own = "number" in sample.facts ? factsOfSubscription(ctx, prospect) : { first_name };
  return {
    kind: sample.kind,
    facts: { ...sample.facts, ...own, ...("card" in sample.facts && card ? { card } : {}) },
  } as AnyMail;
}

function newUnknownError(): DomainError {
  return new DomainError("UNKNOWN_SUBSCRIPTION", "The account has no such subscription", [
    { path: "subscription_id", message: "is not known" },
  ]);
}
