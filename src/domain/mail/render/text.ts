import { isToWrite, type Letter, type LetterRow } from "./letter.ts";
import type { Look } from "./look.ts";
import { leavingLinks, type View } from "./view.ts";

/** The letter as plain text: for programs that show no HTML, and for people who want none. */
export function toText(letter: Letter, view: View, look: Look): string {
  const { words } = view;
  const list = (rows: LetterRow[]) => rows.map((row) => rowText(view, row)).join("\n");
  const { button } = letter;
  return [
    ...letter.intro,
    list(letter.sums),
    list(letter.facts),
    isToWrite(letter) ? contactText(view, look) : button === null ? "" : `${button.text}:\n${button.url}`,
    ...letter.closing,
    isToWrite(letter) || look.support_email === null ? "" : `${words.help} ${look.support_email}`,
    [
      ...["-- ", look.postal_address ?? look.shop_name, letter.because],
      ...leavingLinks(view, look).map((link) => words.labelled(link.text, link.url)),
    ].join("\n"),
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
}

/** The way to reach the shop where the customer can do nothing by themselves. */
function contactText({ words }: View, { support_email }: Look): string {
  return support_email === null ? words.answerToChange : `${words.writeToChange} ${support_email}`;
}

function rowText({ words }: View, { label, value, before }: LetterRow): string {
  const was = before === undefined ? "" : ` (${words.labelled(words.before, inOneLine(before))})`;
  return words.labelled(label, inOneLine(value)) + was;
}

function inOneLine(list: string): string {
  return list.replaceAll("\n", "; ");
}
