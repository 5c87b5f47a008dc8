import { characters } from "../../base/lib/text.ts";
import { withSuggestion } from "../../kit/http/nearest-name.ts";

/** The parts of a mail that a merchant can word; each is plain text. */
export const templateParts = ["subject", "intro", "closing"] as const;
export type MailTemplate = Record<(typeof templateParts)[number], string>;

/** The most characters (Unicode code points) of each part. */
export const templateLengthMax = 2000;

/** A name in braces. Braces cannot be written otherwise: a text that needs them for something else is refused as an unknown name. */
export const placeholderPattern = /\{([^{}]*)\}/g;

/**
 * Checks a part of a template and returns a message for each fault: a name that its kind does not have, with the nearest that it has; too many
 * characters; a line break in a subject.
 */
export function checkTemplate(
  { placeholders }: { placeholders: object },
  text: string,
  part?: keyof MailTemplate,
): string[] {
  const known = Object.keys(placeholders);
  const sent = new Set(Array.from(text.matchAll(placeholderPattern), ([, name = ""]) => name));
  const unknown = [...sent].filter((name) => !known.includes(name));
  const tooLong = characters(text) > templateLengthMax;
  return [
    ...(tooLong ? [`must have at most ${templateLengthMax} characters`] : []),
    ...(part === "subject" && /[\r\n\u2028\u2029]/.test(text) ? ["must be one line"] : []),
    ...unknown.map((name) =>
      withSuggestion(`has the unknown name {${name.slice(0, longestShown)}}`, known, name),
    ),
  ];
}

/** A misspelt name is shown in its message, but not a whole text between two braces. */
const longestShown = 64;
