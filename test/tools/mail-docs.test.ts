/** The page docs/mails.md has the mails that are sent, with their subjects, sentences and names. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { kindNamed, mailKinds } from "../../src/domain/mail/kinds.ts";
import { renderMail } from "../../src/domain/mail/render/mail.ts";
import { checkTemplate } from "../../src/domain/mail/template-rules.ts";
import { samples, shopLook } from "../support/mail-samples.ts";

const page =
  /^## What each mail says\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(
    readFileSync("docs/mails.md", "utf8"),
  )?.[1] ?? "";
const blocks = [...page.matchAll(/^```text\n([\s\S]*?)^```/gm)].map(([, text = ""]) => text);

function render(name: string, locale: "en" | "de") {
  const { kind, facts } = samples[name]!;
  return renderMail(kind, facts, { ...shopLook, locale });
}

test("docs/mails.md has each kind with its subject and its first sentences", () => {
  const rows = [...page.matchAll(/^\| `(\w+)` +\| (.+?) +\| (.+?) +\|$/gm)].map(([, ...row]) => row);
  expect(rows).toEqual(
    mailKinds.map((kind) => {
      const { subject, text } = render(kind, "en");
      return [kind, subject, text.split("\n")[0]];
    }),
  );
});

test("the mails on docs/mails.md are those that are sent", () => {
  const written = [render("payment_failed", "en"), render("upcoming_charge", "de")].map(
    ({ subject, text }) => `Subject: ${subject}\n\n${text.replace(/^-- $/m, "--")}`,
  );
  expect(blocks.slice(0, 2)).toEqual(written);
});

test("docs/mails.md lists the names of templates, and its example has no other", () => {
  for (const name of new Set(mailKinds.flatMap((kind) => Object.keys(kindNamed(kind).placeholders))))
    expect(page).toContain(`\`{${name}}\``);
  expect(checkTemplate(kindNamed("payment_failed"), blocks[2]!)).toEqual([]);
});
