/** No event becomes two mails, and a template may use exactly the names of its kind. */
import { describe, expect, test } from "vitest";
import { kindNamed, type MailKind, mailKinds } from "./kinds.ts";
import { checkTemplate as check, type MailTemplate, templateLengthMax } from "./template-rules.ts";

function checkTemplate(kind: MailKind, text: string, part?: keyof MailTemplate) {
  return check(kindNamed(kind), text, part);
}

test("no event becomes mails of two kinds", () => {
  const types = mailKinds.flatMap((kind) => kindNamed(kind).events);
  expect(types).toEqual([...new Set(types)]);
});

describe("a template", () => {
  test.each(mailKinds)("of %s may have each name of its kind", (kind) => {
    const text = Object.keys(kindNamed(kind).placeholders)
      .map((name) => `{${name}}`)
      .join("\n");
    expect(checkTemplate(kind, text)).toEqual([]);
  });

  test("with an unknown name is refused with the nearest that its kind has", () => {
    expect(checkTemplate("payment_failed", "On {nexttry}")).toEqual([
      "has the unknown name {nexttry}, did you mean next_try?",
    ]);
    expect(checkTemplate("welcome", "On {next_dat}")).toEqual([
      "has the unknown name {next_dat}, did you mean next_date?",
    ]);
    expect(checkTemplate("welcome", "On {next_try}")).toEqual(["has the unknown name {next_try}"]);
    expect(checkTemplate("login_link", "{amount} and {amount}")).toEqual(["has the unknown name {amount}"]);
  });

  test.each(["{}", "{ first_name }", "{constructor}", "{first_name\n}"])("with %j is refused", (text) => {
    expect(checkTemplate("welcome", text)).toHaveLength(1);
  });

  test("may have a brace that opens or closes nothing", () => {
    expect(checkTemplate("welcome", "a { b, or c }")).toHaveLength(1);
    expect(checkTemplate("welcome", "a { b")).toEqual([]);
    expect(checkTemplate("welcome", "a } b { c")).toEqual([]);
  });

  test(`has at most ${templateLengthMax} characters`, () => {
    expect(checkTemplate("welcome", "🐕".repeat(templateLengthMax))).toEqual([]);
    expect(checkTemplate("welcome", "🐕".repeat(templateLengthMax + 1))).toEqual([
      "must have at most 2000 characters",
    ]);
  });

  test("has a subject of one line", () => {
    expect(checkTemplate("welcome", "Hello\n{first_name}", "intro")).toEqual([]);
    expect(checkTemplate("welcome", "Hello\r\nBcc: all@shop.example", "subject")).toEqual([
      "must be one line",
    ]);
  });
});
