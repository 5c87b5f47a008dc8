import { readFileSync } from "node:fs";
import { root } from "../paths.ts";

/** A promise of the documents: the words by which it is known, its first sentence, and the section that makes it. */
export type Promised = { lead: string; sentence: string; page: string; heading: string };

/** A row of a table whose own column says what proves it. */
export type TableRow = Promised & { proof: string };

/** The promises that stand as items of a list, each of which begins with its words in bold. */
export function listedPromises(): Promised[] {
  return listSections.flatMap(({ page, headings }) =>
    sectionsOf(page)
      .filter(({ heading }) => headings.test(heading))
      .flatMap(({ heading, text }) => itemsOf(text).map((item) => ({ ...item, page, heading }))),
  );
}

/** The promises that stand as rows of a table, with the cells that say what proves them. */
export function tabledPromises(): TableRow[] {
  return tableSections.flatMap(({ page, heading, lead, proof }) =>
    rowsOf(sectionsOf(page).find((section) => section.heading === heading)?.text ?? "").map((cells) => ({
      ...{ page, heading, lead: lead(cells), sentence: lead(cells), proof: proof(cells) },
    })),
  );
}

/** The sections of a page whose every list item is a promise. */
const listSections = [
  { page: "decisions.md", headings: /^[1-8]\. / },
  { page: "webhooks.md", headings: /^What you can rely on$/ },
  { page: "billing.md", headings: /^Four rules$/ },
];

type Cells = string[];

const tableSections = [
  {
    page: "billing.md",
    heading: "What may break, and what proves that it does not matter",
    lead: ([, breaks, keeps]: Cells) => `${breaks}: ${keeps}`,
    proof: ([, , , proof]: Cells) => proof ?? "",
  },
  {
    page: "billing.md",
    heading: "The simulator",
    lead: ([promise]: Cells) => promise ?? "",
    proof: ([, rules, files]: Cells) => `simulator: ${rules} (${files})`,
  },
];

function sectionsOf(page: string): { heading: string; text: string }[] {
  return readFileSync(`${root}docs/${page}`, "utf8")
    .split(/^#{1,3} /m)
    .slice(1)
    .map((section) => {
      const end = section.indexOf("\n");
      return { heading: section.slice(0, end), text: section.slice(end) };
    });
}

/** Each item of a list, up to the next; what is indented belongs to it. */
function itemsOf(text: string): { lead: string; sentence: string }[] {
  return text
    .split(/^(?:- |\d+\. )/m)
    .slice(1)
    .map((item) => item.split(/\n\n/)[0]!.replaceAll(/\s+/g, " ").trim())
    .map((item) => ({ lead: leadOf(item), sentence: firstSentence(item) }));
}

/** The words in bold with which an item begins, or its first six. */
function leadOf(item: string): string {
  const bold = /^\*\*(.+?)[.:]?\*\*/.exec(item)?.[1];
  return bold ?? item.split(" ").slice(0, 6).join(" ");
}

function firstSentence(item: string): string {
  const plain = item.replaceAll("**", "").replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1");
  const [first = plain, second] = plain.split(/(?<=[.:]) (?=[A-Z`])/);
  return first.length < 40 && second ? `${first} ${second}` : first;
}

function rowsOf(text: string): Cells[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter(([first]) => !/^(#|Promise|-+)$/.test(first ?? ""));
}
