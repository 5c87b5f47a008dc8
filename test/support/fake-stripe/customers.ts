import { emit } from "./events.ts";
import type { Params } from "./form.ts";
import { listPage, listParams } from "./lists.ts";
import { changedMetadata, nested, text, unsettable } from "./parameters.ts";
import { detach } from "./payment-methods.ts";
import type { Address, Customer } from "./records.ts";
import type { Call, Route } from "./routes.ts";
import { type FakeAccount, findRecord, newRecord } from "./store.ts";

const fields = [
  "email",
  "name",
  "phone",
  "description",
  "address",
  "shipping",
  "metadata",
  "invoice_settings",
  "preferred_locales",
] as const;

/** docs.stripe.com/api/customers */
export const customerRoutes: Route[] = [
  {
    operation: "customers.create",
    method: "POST",
    path: "/v1/customers",
    params: [...fields, "payment_method"],
    run: ({ account, params }) => createCustomer(account, params),
  },
  {
    operation: "customers.list",
    method: "GET",
    path: "/v1/customers",
    params: [...listParams, "email"],
    run: ({ account, params }) => {
      const email = text(params, "email");
      // The filter is case-sensitive (docs.stripe.com/api/customers/list).
      const found = [...account.customers.values()].filter((one) => !email || one.email === email);
      return listPage("/v1/customers", found, params);
    },
  },
  {
    operation: "customers.retrieve",
    method: "GET",
    path: "/v1/customers/*",
    params: [],
    run: ({ account, ids: [id = ""] }) =>
      account.deletedCustomers.has(id)
        ? { id, object: "customer", deleted: true }
        : findRecord(account.customers, "customer", id),
  },
  {
    operation: "customers.update",
    method: "POST",
    path: "/v1/customers/*",
    params: fields,
    run: updateCustomer,
  },
  {
    operation: "customers.delete",
    method: "DELETE",
    path: "/v1/customers/*",
    params: [],
    run: ({ account, ids: [id = ""] }) => deleteCustomer(account, id),
  },
];

export function createCustomer(account: FakeAccount, params: Params): Customer {
  const customer: Customer = {
    ...newRecord(account, "customer", "cus"),
    email: null,
    name: null,
    phone: null,
    description: null,
    address: null,
    shipping: null,
    invoice_settings: { default_payment_method: null },
    ...changesOf(params),
    metadata: changedMetadata(params),
  };
  account.customers.set(customer.id, customer);
  emit(account, "customer.created", customer);
  return customer;
}

function updateCustomer({ account, ids: [id = ""], params }: Call): Customer {
  const customer = findRecord(account.customers, "customer", id);
  const before = { ...customer };
  Object.assign(customer, changesOf(params), { metadata: changedMetadata(params, customer.metadata) });
  emit(account, "customer.updated", customer, before);
  return customer;
}

/** Its payment methods are detached (docs.stripe.com/api/customers/delete says that its cards are). */
function deleteCustomer(account: FakeAccount, id: string) {
  const customer = findRecord(account.customers, "customer", id);
  for (const method of account.methods.values()) if (method.customer === id) detach(account, method);
  account.customers.delete(id);
  account.deletedCustomers.add(id);
  emit(account, "customer.deleted", customer);
  return { id, object: "customer", deleted: true };
}

function changesOf(params: Params): Partial<Customer> {
  const address = nested(params, "address");
  const shipping = nested(params, "shipping");
  const changes = {
    email: unsettable(params, "email"),
    name: unsettable(params, "name"),
    phone: unsettable(params, "phone"),
    description: unsettable(params, "description"),
    address: address && addressOf(address),
    shipping: shipping && {
      address: addressOf(nested(shipping, "address") ?? {}),
      name: text(shipping, "name") ?? "",
      phone: text(shipping, "phone") ?? null,
    },
  };
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

export function addressOf(params: Params): Address {
  const field = (name: keyof Address) => unsettable(params, name) ?? null;
  return {
    city: field("city"),
    country: field("country"),
    line1: field("line1"),
    line2: field("line2"),
    postal_code: field("postal_code"),
    state: field("state"),
  };
}
