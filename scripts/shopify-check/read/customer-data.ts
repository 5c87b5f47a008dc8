import { StoreRefusalError } from "../../../src/stores/port.ts";
import { confirmed, contradicted, messageOf, type Outcome, untestable } from "../../store-check/outcome.ts";
import { findCustomer } from "../documents.ts";
import type { Lab } from "../lab.ts";

/** Whether the app may read what Shopify protects of a customer. */
export async function checkCustomerData({ ask }: Lab): Promise<Outcome> {
  try {
    const { customers } = (await ask(findCustomer, {})) as { customers: { nodes: object[] } };
    const [customer] = customers.nodes;
    if (!customer) return untestable("the store has no customer");
    return confirmed(`read: ${Object.keys(customer).length - 1} fields`);
  } catch (error) {
    if (!(error instanceof StoreRefusalError)) throw error;
    return contradicted(`${error.codes.join(", ")}: ${messageOf(error)}`);
  }
}
