import { portalLocales } from "../../../../base/accounts/portal-settings.ts";
import { addressLines } from "../../../../base/language/names.ts";
import type { Fields } from "../../../pages/fields.ts";
import type { ChangeRow } from "../../../pages/preview.ts";
import type { StaffVisit } from "../console-env.ts";
import type { PageAnswer } from "../visit.ts";
import { addressForm, addressNames } from "./address-form.ts";
import type { ChangeSubject, StaffChange } from "./change.ts";

type ShownCustomer = PageAnswer<"getProfile">["data"];
type SavedAddress = PageAnswer<"listDeliveryAddresses">["data"][number];

const languages = new Intl.DisplayNames("en", { type: "language" });

const detailNames = ["first_name", "last_name", "email", "phone_number", "locale"] as const;

function isAlways(): boolean {
  return true;
}

/** The fields as they are: those that were left empty are absent. */
function asSent(fields: Fields): object {
  return fields;
}

function withoutAddressId({ address: _, ...fields }: Fields): object {
  return fields;
}

/** An address that comes, or that another one becomes. */
function addressRow(_: StaffVisit, _before: ShownCustomer, answer: unknown): ChangeRow[] {
  const { data } = answer as { data: SavedAddress };
  return [["Address", "–", addressLines(data).join("\n")]];
}

const ofAddress = {
  isPossible: isAlways,
  linked: ["address"],
  pathOf: ({ address = "" }) => ({ addressId: address }),
};

const changes: Record<string, StaffChange<ShownCustomer>> = {
  details: {
    title: "Change the details",
    done: "The details were changed.",
    operation: "updateProfile",
    isPossible: isAlways,
    names: detailNames,
    form: ({ record }) => [
      { name: "first_name", label: "First name", value: record.first_name },
      { name: "last_name", label: "Last name", value: record.last_name },
      { name: "email", label: "E-mail", value: record.email, isRequired: true },
      { name: "phone_number", label: "Phone", value: record.phone_number },
      {
        ...{ name: "locale", label: "Language", kind: "choice", value: record.locale },
        choices: portalLocales.map((code) => [code, languages.of(code) ?? code]),
      },
    ],
    bodyOf: (fields) => Object.fromEntries(detailNames.map((name) => [name, fields[name] ?? null])),
    rows: (_, before, answer) => {
      const { data: after } = answer as { data: ShownCustomer };
      return [
        ["Name", before.full_name || "none", after.full_name || "none"],
        ["E-mail", before.email, after.email],
        ["Phone", before.phone_number ?? "none", after.phone_number ?? "none"],
        ["Language", before.locale ?? "the shop’s", after.locale ?? "the shop’s"],
      ];
    },
  },
  "add-address": {
    title: "Add an address",
    done: "The address was added.",
    operation: "createDeliveryAddress",
    isPossible: isAlways,
    names: addressNames,
    form: () => addressForm(null),
    bodyOf: asSent,
    rows: addressRow,
  },
  address: {
    ...ofAddress,
    title: "Change the address",
    done: "The address was changed.",
    operation: "updateDeliveryAddress",
    names: ["address", "update_subscriptions", ...addressNames],
    lists: (id) => ({
      addresses: { id: "listDeliveryAddresses", path: { id }, query: { limit: "100" } },
    }),
    form: ({ lists, fields }) => [
      ...addressForm(lists.addresses?.data.find(({ id }) => id === fields.address) ?? null),
      {
        ...{ name: "update_subscriptions", label: "Subscriptions that are sent there", kind: "choice" },
        ...{ value: "true", isRequired: true },
        choices: [
          ["true", "are sent to the new one"],
          ["false", "keep the old one"],
        ],
      },
    ],
    bodyOf: ({ address: _, update_subscriptions: all, ...fields }) => ({
      ...fields,
      update_subscriptions: all === "true",
    }),
    rows: addressRow,
  },
  "remove-address": {
    ...ofAddress,
    title: "Remove the address",
    done: "The address was removed.",
    operation: "deleteDeliveryAddress",
    names: ["address"],
    bodyOf: withoutAddressId,
    rows: (_, _before, answer) => {
      const { data } = answer as { data: SavedAddress };
      return [["Address", addressLines(data).join("\n"), "none"]];
    },
  },
};

export const customerSubject: ChangeSubject<ShownCustomer> = {
  folder: "customers",
  noun: "customer",
  read: (id) => ({ id: "getProfile", path: { id } }),
  titleOf: (_, { full_name, email }) => full_name || email,
  changes,
};
