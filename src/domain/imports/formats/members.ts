import type { ErrorDetail } from "../../../base/errors.ts";
import type { CalendarDate } from "../../../base/lib/time/dates.ts";
import type { ImportField } from "../fields.ts";

/**
 * The use that an import makes of a member of a source's object. `used`: it is read. `harmless`: it says nothing of money, time, status or address.
 * `decides`: it says something of these that is not taken over, so that a row with a value in it is at fault; with the name of a field,
 * unless that was added to the row. A list of values: those of a deciding member that change nothing. An object: its own members, or those
 * of each of its elements.
 */
export type Member =
  | "used"
  | "harmless"
  | "decides"
  | `decides:${ImportField}`
  | readonly unknown[]
  | Members;
export type Members = { readonly [name: string]: Member };

/** Our own fields that were added to a row of another format, or mapped to a column of it. */
export type AddedFields = { readonly [field in ImportField]?: string };

/** The facts that a mapping knows besides the row: whether the store takes over payment methods that a provider keeps, and from when on it may charge. */
export type MapContext = {
  takesRemoteMethods: boolean | undefined;
  charge_from: CalendarDate | null;
  added: AddedFields;
};

/** The members that decide and are not used, by their path. One that the list does not have is among them: nobody knows what it decides. */
export function unusedMembers(object: unknown, members: Members, added: AddedFields = {}): ErrorDetail[] {
  const faults = faultsWithin(object, { members, added, prefix: "" });
  return [...new Map(faults.map((fault) => [fault.path, fault])).values()];
}

type Within = { members: Members; added: AddedFields; prefix: string };

function faultsWithin(value: unknown, within: Within): ErrorDetail[] {
  if (Array.isArray(value)) return value.flatMap((element) => faultsWithin(element, within));
  if (typeof value !== "object" || value === null) return [];
  const { members, prefix } = within;
  return Object.entries(value).flatMap(([name, inner]) => {
    const member = Object.hasOwn(members, name) ? members[name] : undefined;
    return faultsOf(inner, member, { ...within, prefix: `${prefix}${name}` });
  });
}

function faultsOf(value: unknown, member: Member | undefined, within: Within): ErrorDetail[] {
  const { added, prefix: path } = within;
  if (member === "used" || member === "harmless" || saysNothing(value)) return [];
  if (member === undefined) return [{ path, message: unknownMember }];
  if (isValues(member)) return member.includes(value) ? [] : [{ path, message: notTakenOver }];
  if (typeof member === "object")
    return faultsWithin(value, { ...within, members: member, prefix: `${path}.` });
  const [, field] = member.split(":") as [string, ImportField?];
  if (field === undefined) return [{ path, message: notTakenOver }];
  return added[field] === undefined ? [{ path, message: `${notTakenOver}: add ${field}` }] : [];
}

/** A member that a source adds to its objects is null, false, 0 or empty where it is not in use: then all is as before. */
function saysNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === "" || value === false || value === 0) return true;
  return typeof value === "object" && Object.values(value).every(saysNothing);
}

function isValues(member: Member): member is readonly unknown[] {
  return Array.isArray(member);
}

const notTakenOver = "decides what is charged, when or where to, and is not taken over";
const unknownMember =
  "is not known to this format: leave it out of the file if it decides nothing of what is charged, when and where to";
