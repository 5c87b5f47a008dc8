import { html } from "hono/html";
import type { Html } from "../../pages/document.ts";

/** A column: its head, and whether it holds numbers. */
export type Column = string | { head: string; isNumber: true };

type Rows = {
  caption: string;
  columns: Column[];
  rows: (string | Html)[][];
  /** Whether a narrow screen has the head of each cell beside it. It has those of several numbers anyway. */
  isLabelled?: boolean;
};

/** Rows under heads, which a narrow screen shows two lines a row. */
export function table({ caption, columns, rows, isLabelled = false }: Rows): Html {
  const heads = columns.map((column) =>
    typeof column === "string" ? { head: column, isNumber: false } : column,
  );
  const isOfNumbers = heads.filter(({ isNumber }) => isNumber).length > 1;
  const classes = isLabelled ? "labelled" : isOfNumbers ? "numbers" : "";
  const kind = (index: number) => (heads[index]?.isNumber ? html` class="number"` : "");
  return html`<table${classes ? html` class="${classes}"` : ""}><caption class="hidden">${caption}</caption>
    <thead><tr>${heads.map(({ head }, index) => html`<th scope="col"${kind(index)}>${head}</th>`)}</tr></thead>
    <tbody>${rows.map((cells) => html`<tr>${cells.map((cell, index) => html`<td${kind(index)} data-label="${heads[index]?.head ?? ""}">${cell}</td>`)}</tr>`)}</tbody></table>`;
}

/** A code of the API as a word: PAYMENT_FAILED is payment failed. */
export function wordOf(code: string): string {
  return code.toLowerCase().replaceAll("_", " ");
}

/** Words with a capital letter first, as a label has it. */
export function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A state: a dot and a word. */
export function state(word: string, kind: "good" | "bad" | "waits" | "quiet" = "quiet"): Html {
  return html`<span class="state ${kind}">${word}</span>`;
}

/** The state of a subscription, an order or a charge. */
export function stateOf(code: string): Html {
  return state(wordOf(code), kinds[code]);
}

const kinds: Record<string, "good" | "bad" | "waits"> = {
  ACTIVE: "good",
  PAID: "good",
  OK: "good",
  DONE: "good",
  SUCCEEDED: "good",
  FULFILLED: "good",
  SENT: "good",
  PAUSED: "waits",
  PROCESSING: "waits",
  QUEUED: "waits",
  ACTION_REQUIRED: "waits",
  REVIEW: "bad",
  PAYMENT_FAILED: "bad",
  FAILED: "bad",
  BOUNCED: "bad",
};
