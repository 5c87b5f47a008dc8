import type { CalendarDate } from "../../../../base/lib/time/dates.ts";
import type { Fields } from "../../../pages/fields.ts";
import type { ChangeRow } from "../../../pages/preview.ts";
import type { StaffVisit } from "../console-env.ts";
import type { PageAnswer, PageCall, PageOperation } from "../visit.ts";

/** A field of a form, filled in with `value`. */
export type FormField = {
  name: string;
  label: string;
  kind?: "text" | "number" | "amount" | "date" | "long" | "choice";
  value?: string | number | null | undefined;
  choices?: [value: string, text: string][];
  isRequired?: true;
  min?: string | number;
};

/** Lists that a form chooses from. One that the role cannot read is absent. */
export type Lists = {
  addresses?: PageAnswer<"listDeliveryAddresses">;
  reasons?: PageAnswer<"listSkipReasons">;
  slots?: PageAnswer<"listDeliverySlots">;
  methods?: PageAnswer<"getSubscriptionPaymentMethods">;
};

/** Whatever a form is made from. */
export type Known<Shown> = { record: Shown; lists: Lists; today: CalendarDate; fields: Fields };

/** Something that staff do with a record: the operation behind it, its form, and its effects in a table. */
export type StaffChange<Shown = never> = {
  title: string;
  /** The words once it is done. */
  done: string;
  note?: string;
  operation: PageOperation;
  isPossible: (record: Shown) => boolean;
  /** The names of the fields that its form sends. Without a form the page shows its effects at once. */
  names: readonly string[];
  form?: (known: Known<Shown>) => FormField[];
  lists?: (id: string) => { [Name in keyof Lists]: PageCall };
  /** The fields that the address of its page names, such as a line. */
  linked?: readonly string[];
  pathOf?: (fields: Fields) => Record<string, string>;
  bodyOf: (fields: Fields) => object;
  rows: (visit: StaffVisit, before: Shown, answer: unknown) => ChangeRow[];
  isDangerous?: true;
  /** Whether its pages show it as a call of the API. */
  isShownAsCall?: true;
};

/** The records that a page changes: where their pages are, and each change by the name in its address. */
export type ChangeSubject<Shown = never> = {
  folder: string;
  noun: string;
  read: (id: string) => PageCall;
  titleOf: (visit: StaffVisit, record: Shown) => string;
  /** Whose history says who has changed it. */
  history?: (id: string) => Record<string, string>;
  changes: Record<string, StaffChange<Shown>>;
};

export type Chosen = {
  subject: ChangeSubject;
  name: string;
  change: StaffChange;
  id: string;
  fields: Fields;
};

/** The call that a change is. */
export function callOf({ change, id, fields }: Chosen) {
  return {
    id: change.operation,
    path: { id, ...change.pathOf?.(fields) },
    body: change.bodyOf(fields),
  } satisfies PageCall;
}
