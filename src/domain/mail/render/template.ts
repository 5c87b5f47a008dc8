import { type MailTemplate, placeholderPattern } from "../template-rules.ts";
import { cleanLines, oneLine } from "./clean.ts";
import type { Letter } from "./letter.ts";

/** The value of a name in braces; null where there is none. */
type FindValue = (name: string) => string | null;

/** The letter with the merchant's subject, intro and closing. The facts and the button stay. */
export function applyTemplate(letter: Letter, template: MailTemplate | null, find: FindValue): Letter {
  if (template === null) return letter;
  const subject = oneLine(fill(template.subject, find));
  return {
    ...letter,
    subject: subject || letter.subject,
    intro: paragraphsOf(fill(template.intro, find)),
    closing: paragraphsOf(fill(template.closing, find)),
  };
}

/** Fills the names in. A line with a name that has no value is left out: half a sentence helps nobody. */
function fill(template: string, find: FindValue): string {
  return cleanLines(template)
    .split("\n")
    .filter((line) => [...line.matchAll(placeholderPattern)].every(([, name = ""]) => find(name)))
    .map((line) => line.replaceAll(placeholderPattern, (_, name: string) => find(name) ?? ""))
    .join("\n");
}

/** Paragraphs stand apart by an empty line; other line breaks stay within theirs. */
function paragraphsOf(text: string): string[] {
  return text
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "");
}
