import { demoId } from "../../src/base/demo.ts";
import { later } from "../../src/base/lib/time/dates.ts";
import { insertLogEndpoint } from "../../src/domain/mail/actions/change-settings.ts";
import { demoAccountSeq } from "./account.ts";
import type { Part } from "./part.ts";

/** The demo store's mails are kept and printed, after its history. */
export const mailPart: Part = (now) => [
  insertLogEndpoint(
    { seq: demoAccountSeq, name: "Demo Store", store: "sandbox" },
    { id: demoId("webhook_endpoint", 9), now: later(now.toISOString(), 1) },
  ),
];
