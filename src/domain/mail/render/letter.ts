import type { MailPicture } from "./facts.ts";

/** A mail before it is written as HTML and as text, so that both say the same. All of it is plain text. */
export type Letter = {
  /** One line; the heading too. */
  subject: string;
  /** Paragraphs. */
  intro: string[];
  /** Pictures of the goods that it is about. Its text is whole without them. */
  pictures: MailPicture[];
  /** Amounts, under each other; the last is their total. */
  sums: LetterRow[];
  facts: LetterRow[];
  /** Null where there is nothing to do. Its address is empty where there is no page to lead to: the mail then says whom to write to. */
  button: Button | null;
  closing: string[];
  /** Why somebody gets this mail. */
  because: string;
};

export type LetterRow = {
  label: string;
  /** One line, or several: a list. */
  value: string;
  /** The value before a change. */
  before?: string;
};

/** Whether its reader can only write to the shop to do what the mail is about. */
export function isToWrite({ button }: Pick<Letter, "button">): boolean {
  return button !== null && button.url === "";
}

export type Button = { text: string; url: string };

/** A letter as its kind writes it: rows without a value are left out, and it goes to a subscriber unless it says otherwise. */
export type DraftLetter = Pick<Letter, "subject" | "intro" | "button"> &
  Partial<Pick<Letter, "closing" | "because">> & { sums?: (LetterRow | null)[]; facts: (LetterRow | null)[] };

/** Rows that have a value. */
export function filled(rows: (LetterRow | null)[] = []): LetterRow[] {
  return rows.filter((row): row is LetterRow => row !== null && row.value !== "");
}
