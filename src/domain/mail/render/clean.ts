import { shorten } from "../../../base/lib/text.ts";

/**
 * A copy of facts that nothing can be done with: each text is one line and does not change the direction of the text around it;
 * each field that ends in `url` is a web address, or empty.
 */
export function clean<Facts>(facts: Facts): Facts {
  return cleanMember("", facts) as Facts;
}

/** A text as one line without control characters, which could end a header or turn the rest of a sentence around. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(unprintable, " ")
    .replaceAll(directionControls, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** A text of several lines, without other control characters. */
export function cleanLines(text: string): string {
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(oneLine)
    .join("\n");
}

/** The longest text of a fact, in characters: addresses are the longest that are in earnest. */
const longest = 300;
/** Control characters (Cc), and the separators of lines and paragraphs (Zl, Zp). */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}]/gu;
/** Embeddings, overrides and isolates of the bidirectional algorithm (UAX #9), which nothing might close again. */
const directionControls = /[\u202a-\u202e\u2066-\u2069]/g;
const rightToLeft =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

function cleanMember(name: string, value: unknown): unknown {
  if (typeof value === "string") return name.endsWith("url") ? webAddress(value) : isolate(value);
  if (Array.isArray(value)) return value.map((each) => cleanMember(name, each));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, cleanMember(key, each)]));
}

/** A text that is read from right to left stands between isolates, so that the sentence around it keeps its order. */
function isolate(text: string): string {
  const line = shorten(oneLine(text), longest);
  return rightToLeft.test(line) ? `\u2068${line}\u2069` : line;
}

/** Only a web address becomes a link; its host is written in ASCII. */
function webAddress(text: string): string {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : "";
}
