/** The template that docs/sell/mails.md shows has names that there are. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { kindNamed } from "../../src/domain/mail/kinds.ts";
import { checkTemplate } from "../../src/domain/mail/template-rules.ts";

test("the template of docs/sell/mails.md is one that is taken", () => {
  const [, template = ""] =
    /^```text\n([\s\S]*?)^```/m.exec(readFileSync("docs/sell/mails.md", "utf8")) ?? [];
  expect(template).toContain("{next_try}");
  expect(checkTemplate(kindNamed("payment_failed"), template)).toEqual([]);
});
