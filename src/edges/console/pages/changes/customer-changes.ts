import { portalLocales } from "../../../../base/accounts/portal-settings.ts";
import { addressLines } from "../../../../base/language/names.ts";
import type { ChangeRow } from "../../../pages/preview.ts";
import type { StaffVisit } from "../console-env.ts";
import type { Known } from "../forms/fields.ts";
import type { FormSubject, StaffForm } from "../forms/form.ts";
import type { PageAnswer } from "../visit.ts";
import { addressFields } from "./address-form.ts";

type ShownCustomer = PageAnswer<"getProfile">["data"];
type SavedAddress = PageAnswer<"listDeliveryAddresses">["data"][number];

const languages = new Intl.DisplayNames("en", { type: "language" });

/** An address that comes, or that another one becomes. */
function addressRow(_: StaffVisit, _before: ShownCustomer, answer: unknown): ChangeRow[] {
  const { data } = answer as { data: SavedAddress };
  return [["Address", "–", addressLines(data).join("\n")]];
}

const ofAddress = {
  params: ["address"],
  pathOf: ({ address = "" }) => ({ addressId: address }),
};
const nullable = { isNullable: true } as const;

const forms: Record<string, StaffForm<ShownCustomer>> = {
  details: {
    title: "Change the details",
    done: "The details were changed.",
    operation: "updateProfile",
    fields: [
      { name: "first_name", label: "First name", ...nullable, value: ({ record }) => record.first_name },
      { name: "last_name", label: "Last name", ...nullable, value: ({ record }) => record.last_name },
      {
        name: "email",
        label: "E-mail",
        kind: "email",
        isRequired: true,
        value: ({ record }) => record.email,
      },
      { name: "phone_number", label: "Phone", ...nullable, value: ({ record }) => record.phone_number },
      {
        ...{ name: "locale", label: "Language", kind: "choice", ...nullable },
        value: ({ record }) => record.locale,
        choices: portalLocales.map((code) => [code, languages.of(code) ?? code]),
      },
    ],
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
    fields: addressFields(() => null),
    rows: addressRow,
  },
  address: {
    ...ofAddress,
    title: "Change the address",
    done: "The address was changed.",
    operation: "updateDeliveryAddress",
    lists: (id) => ({
      addresses: { id: "listDeliveryAddresses", path: { id }, query: { limit: "100" } },
    }),
    fields: [
      ...addressFields(({ lists, params }: Known<ShownCustomer>) =>
        lists.addresses?.data.find(({ id }) => id === params.address),
      ),
      {
        ...{ name: "update_subscriptions", label: "Subscriptions that are sent there", kind: "either" },
        ...{ value: "true", isRequired: true },
        choices: [
          ["true", "are sent to the new one"],
          ["false", "keep the old one"],
        ],
      },
    ],
    rows: addressRow,
  },
  "remove-address": {
    ...ofAddress,
    title: "Remove the address",
    done: "The address was removed.",
    operation: "deleteDeliveryAddress",
    rows: (_, _before, answer) => {
      const { data } = answer as { data: SavedAddress };
      return [["Address", addressLines(data).join("\n"), "none"]];
    },
  },
};

export const customerSubject: FormSubject<ShownCustomer> = {
  folder: "customers",
  noun: "customer",
  read: (id) => ({ id: "getProfile", path: { id } }),
  titleOf: (_, { full_name, email }) => full_name || email,
  forms,
};
