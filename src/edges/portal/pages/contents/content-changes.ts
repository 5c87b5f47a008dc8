import type { ActionName } from "../actions.ts";
import type { ShownSubscription } from "../summary.ts";
import type { Texts } from "../texts/index.ts";
import { goods } from "./contents.ts";

type Line = ShownSubscription["lines"][number];
type Changed = { before: ShownSubscription; after: ShownSubscription };

/** The actions that change what is in a subscription. */
const contentActions = ["quantity", "swap", "add", "remove"] as const satisfies ActionName[];

export function isOfContents(name: ActionName): boolean {
  return (contentActions as readonly ActionName[]).includes(name);
}

/** The lines in which two states of a subscription differ, as they were and as they are then. */
export function changedLines({ before, after }: Changed): { was: Line[]; becomes: Line[] } {
  const differs = (line: Line, others: Line[]) => {
    const other = others.find(({ id }) => id === line.id);
    return other?.quantity !== line.quantity || other?.store_variant_id !== line.store_variant_id;
  };
  return {
    was: before.lines.filter((line) => differs(line, after.lines)),
    becomes: after.lines.filter((line) => differs(line, before.lines)),
  };
}

export function hasChanged(changed: Changed): boolean {
  const { was, becomes } = changedLines(changed);
  return was.length + becomes.length > 0;
}

/** Lines in one text, each once-only one with its remark. */
export function nameLines(lines: Line[], texts: Texts): string {
  const names = lines.map((line) => `${goods(line)}${line.is_one_time ? ` (${texts.oneTime})` : ""}`);
  return names.join(" + ") || noLine;
}

/** Stands for no line, and for its price. */
export const noLine = "–";
