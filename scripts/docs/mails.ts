import { kindNamed, mailKinds } from "../../src/domain/mail/kinds.ts";
import { renderMail } from "../../src/domain/mail/render/mail.ts";
import { samples, shopLook } from "./mail-samples.ts";
import { withPart } from "./part.ts";

/** The page of mails, with the subject of each kind, one mail whole, and the names that templates may have. */
export function withMails(text: string): string {
  const rows = mailKinds.map((kind) => {
    return `| \`${kind}\` | ${rendered(kind, "en").subject} |`;
  });
  const table = ["| Kind | Subject |", "| --- | --- |", ...rows].join("\n");
  const parts = {
    "Kinds of mails": table,
    "A mail": whole("payment_failed", "en"),
    "Names of templates": names(),
  };
  return Object.entries(parts).reduce((page, [name, part]) => withPart(page, name, part), text);
}

function rendered(kind: string, locale: "en" | "de") {
  const sample = samples[kind]!;
  return renderMail(sample.kind, sample.facts, { ...shopLook, locale });
}

function whole(kind: string, locale: "en" | "de"): string {
  const { subject, text } = rendered(kind, locale);
  return `\`\`\`text\nSubject: ${subject}\n\n${text.trim().replace(/^-- $/m, "--")}\n\`\`\``;
}

/** The names of each kind; those that most have stand once. */
function names(): string {
  const all = mailKinds.map((kind) => ({ kind, names: Object.keys(kindNamed(kind).placeholders) }));
  const most = [...new Set(all.flatMap((one) => one.names))].filter(
    (name) => all.filter((one) => one.names.includes(name)).length > mailKinds.length / 2,
  );
  const listed = (some: string[]) => some.map((name) => `\`{${name}}\``).join(", ");
  const rows = all.map(({ kind, names: its }) => {
    const lacks = most.filter((name) => !its.includes(name));
    const adds = its.filter((name) => !most.includes(name));
    return `| \`${kind}\` | ${listed(adds)} | ${listed(lacks)} |`;
  });
  return [
    `Nearly every kind has ${listed(most)}.`,
    "",
    "| Kind | Besides | Without |",
    "| --- | --- | --- |",
    ...rows.filter((row) => !row.endsWith("|  |  |")),
  ].join("\n");
}
