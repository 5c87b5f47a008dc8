import { html } from "hono/html";
import type { Html } from "./document.ts";

export type FactRow = [label: string, value: string | Html];

/** Facts as the rows of a `dl`. */
export function factRows(facts: FactRow[]): Html {
  return html`${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}`;
}
