import { encodeByte } from "./quoted-printable.ts";

/**
 * Text of a header field in ASCII: as it is, or in words by RFC 2047, each with at most 75 characters and on a line of at most 76. `column`
 * is the place of the text in its line.
 */
export function encodeHeaderText(text: string, column: number): string {
  if (isPlain(text, column)) return text;
  const words = [""];
  let room = lineMax - column - frame.length;
  for (const character of text) {
    const encoded = encodeCharacter(character);
    if (encoded.length > room) {
      words.push("");
      room = wordMax - frame.length;
    }
    words[words.length - 1] += encoded;
    room -= encoded.length;
  }
  return words.map((word) => `=?UTF-8?Q?${word}?=`).join("\r\n ");
}

/** Whether a text may stand as it is: it fits into the line, and nothing in it would be taken for an encoded word. */
export function isPlain(text: string, column: number): boolean {
  return /^[ -~]*$/.test(text) && !text.includes("=?") && column + text.length <= lineMax;
}

/** A line has a space more than a word, by which it goes on with the field. */
const [lineMax, wordMax] = [76, 75];
const frame = "=?UTF-8?Q??=";

/** The characters that stand for themselves in every place (RFC 2047 §5); a character is not divided between two words. */
function encodeCharacter(character: string): string {
  if (/[A-Za-z0-9!*+/-]/.test(character)) return character;
  if (character === " ") return "_";
  return Array.from(new TextEncoder().encode(character), encodeByte).join("");
}
