import type { z } from "@hono/zod-openapi";
import { choiceMessage, noForm, required } from "../issue-messages.ts";

type Issue = z.core.$ZodIssue;

/** The issues with those of one member in the place of each union's, so that each says what is wrong and where. */
export function withoutUnions(issues: Issue[]): Issue[] {
  return issues.flatMap((issue) => {
    if (issue.code !== "invalid_union" || issue.message !== noForm) return [issue];
    const members = issue.errors.map(withoutUnions);
    const faults = sharedChoice(members) ?? missingFields(members) ?? nearestMember(members);
    return faults.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
  });
}

/** The one fault of a field whose value says which member is meant, and means none. */
function sharedChoice(members: Issue[][]): Issue[] | undefined {
  const choices = members.map((issues) => issues.filter((issue) => issue.code === "invalid_value"));
  const [first] = choices[0] ?? [];
  const same = choices.map((issues) => issues.find(({ path }) => path.join() === first?.path.join()));
  if (!first || first.path.length === 0 || !same.every((issue) => issue !== undefined)) return undefined;
  const message =
    first.message === required
      ? required
      : choiceMessage(
          same.flatMap(({ values }) => values),
          undefined,
        );
  return [{ ...first, message }];
}

/** The fault of an object without any field that says which of several members is meant. */
function missingFields(members: Issue[][]): Issue[] | undefined {
  const possible = members.filter((issues) => unknownKeys(issues) === 0);
  if (possible.length < 2 || !possible.flat().every(({ message }) => message === required)) return undefined;
  const needs = possible.map((issues) => issues.map(({ path }) => path.join(".")).join(", "));
  const or = needs.some((names) => names.includes(",")) ? ", or " : " or ";
  return [{ code: "custom", path: [], message: `needs ${needs.join(or)}` }];
}

/**
 * The faults of the member that the caller probably meant: the one that knows most of the fields that were sent, and of those the
 * one with the fewest faults.
 */
function nearestMember(members: Issue[][]): Issue[] {
  return members.toSorted((a, b) => unknownKeys(a) - unknownKeys(b) || a.length - b.length)[0] ?? [];
}

function unknownKeys(issues: Issue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 0), 0);
}
