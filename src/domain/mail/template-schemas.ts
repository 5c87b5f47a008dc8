import { z } from "@hono/zod-openapi";
import { portalLocales } from "../../base/accounts/portal-settings.ts";
import { demoId } from "../../base/demo.ts";
import { named } from "../../kit/http/document/describe.ts";
import { idIn, instant, localeName, text, wordInPath } from "../../kit/http/document/params.ts";
import { dataOf } from "../../kit/http/list/pagination.ts";
import { MailKindName } from "./kind-schemas.ts";
import { mailKinds } from "./kinds.ts";
import { templateLengthMax } from "./template-rules.ts";

const words = text({ max: templateLengthMax });
const wordTexts = {
  subject: ["The subject, one line; empty for ours.", "{first_name}, your next box is coming"],
  intro: ["The text above the facts.", "Hello {first_name}, your {product} is on its way to being packed."],
  closing: ["The text below the facts.", "Questions? Write to {support_email}."],
} as const;
const templateExample = {
  subject: wordTexts.subject[1],
  intro: wordTexts.intro[1],
  closing: wordTexts.closing[1],
};

export const MailTemplateBody = named(
  "MailTemplate",
  z.strictObject({
    kind: MailKindName,
    locale: localeName,
    subject: z.string(),
    intro: z.string(),
    closing: z.string(),
    updated_at: instant,
  }),
  {
    ...wordTexts,
    kind: "The kind of mail.",
    locale: "Its language.",
    updated_at: [
      "When the words were last changed: UTC, in the account's own time.",
      "2026-11-20T12:00:00.000Z",
    ],
  },
);
export const MailTemplateData = dataOf(MailTemplateBody, "MailTemplateData", "The words.");

export const MailTemplateUpdate = named(
  "MailTemplateUpdate",
  z.strictObject({ subject: words, intro: words, closing: words }),
  wordTexts,
  { example: templateExample },
);

export const MailPreviewRequest = named(
  "MailPreviewRequest",
  z.strictObject({ subscription_id: idIn.optional() }),
  {
    subscription_id: [
      "The subscription that the mail is about; absent for an example.",
      demoId("subscription", 1),
    ],
  },
  { example: {} },
);

export const MailPreview = dataOf(
  named("MailPreviewBody", z.strictObject({ subject: z.string(), html: z.string(), text: z.string() }), {
    subject: ["Its subject.", "Your payment of $40.90"],
    html: ["Its HTML.", "<!doctype html><html>…</html>"],
    text: ["Its plain text.", "Your next payment of $40.90 is on 23 November."],
  }),
  "MailPreview",
  "The mail in words.",
);

export const templateParams = z.object({
  kind: wordInPath("kind", {
    description: `The kind of mail: ${mailKinds.join(", ")}.`,
    example: "upcoming_charge",
  }),
  locale: wordInPath("locale", {
    description: `The language: ${portalLocales.join(", ")}.`,
    example: "en",
  }),
});
