import { z } from "@hono/zod-openapi";
import { demoId } from "../../../base/demo.ts";
import { named } from "../../../kit/http/document/describe.ts";
import { commonTexts, idOut } from "../../../kit/http/document/fields.ts";
import { instant, instantIn, maxText, nullableText, text } from "../../../kit/http/document/params.ts";
import { listOf, pageQuery } from "../../../kit/http/list/pagination.ts";
import { consentChannels } from "./tables.ts";

const Channel = z.enum(consentChannels).openapi("ConsentChannel", {
  description: "page: on a page. phone: by telephone. import: in the former system. other: elsewhere.",
});

const texts = {
  text: ["The terms, word by word: at most 10,000 characters.", "$39.95 every month"],
  channel: "Where the customer has agreed.",
  source: ["Where exactly; null for nothing.", "https://shop.example.com/checkout"],
} as const;

/** A consent in a request. */
export const ConsentRequest = named(
  "ConsentRequest",
  z.strictObject({
    text: text({ min: 1, max: maxText }),
    agreed_at: instantIn.optional(),
    channel: Channel,
    source: nullableText(2_000).optional(),
  }),
  {
    ...texts,
    agreed_at: ["When: a date-time. Absent: now.", "2026-11-20T12:00:00.000Z"],
  },
  { example: { text: texts.text[1], channel: "page" } },
);

const ConsentBody = named(
  "Consent",
  z.strictObject({
    id: idOut,
    text: z.string(),
    sha256: z.string(),
    channel: Channel,
    source: z.string().nullable(),
    agreed_at: instant,
    created_at: instant,
  }),
  {
    ...texts,
    id: ["The consent's id.", demoId("subscription", 1)],
    sha256: [
      "The SHA-256 of the text in UTF-8, in hexadecimal digits.",
      "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ],
    agreed_at: ["When the customer has agreed: UTC.", "2026-11-20T12:00:00.000Z"],
    created_at: commonTexts.created_at,
  },
  {
    description:
      "What a customer has agreed to. It is kept for three years, or one after the subscription's end if that is later.",
  },
);

export const ConsentList = listOf(ConsentBody, "ConsentList");
export const ConsentQuery = z.strictObject(pageQuery);
