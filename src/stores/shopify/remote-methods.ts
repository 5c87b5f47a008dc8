import { z } from "zod";
import { gidOf, plainIdOf } from "../global-ids.ts";
import type { RemoteMethod, StoreRemoteMethods } from "../port/remote-methods.ts";
import { AccessDeniedError, StoreRefusalError, UnknownOutcomeError } from "../port.ts";
import { grantedSchema } from "./app/granted-scopes.ts";
import { missingScopes, remoteMethodScopes } from "./app/scopes.ts";
import { PartlyDeniedError } from "./client.ts";
import {
  createRemotePaymentMethod,
  readInstallation,
  readPaymentMethod,
  readPaymentMethodsOfCustomer,
} from "./documents.ts";
import { type AskShopify, mutate } from "./request.ts";
import { parseResponse } from "./responses.ts";

/** Payment methods that a payment provider keeps, taken over by Shopify, which then asks the provider for their details. */
export function shopifyRemoteMethods(asking: AskShopify): StoreRemoteMethods {
  /** A refusal of a whole request says nothing of a payment method, unless it names the permission: the token may be wrong. */
  const ask: AskShopify = (query, variables) =>
    asking(query, variables).catch((error) => {
      if (error instanceof StoreRefusalError && !(error instanceof AccessDeniedError))
        throw new UnknownOutcomeError(error.message);
      throw error;
    });
  return {
    async findMissingScopes() {
      const { currentAppInstallation } = parseResponse(grantedSchema, await ask(readInstallation, {}));
      const granted = currentAppInstallation.accessScopes.map(({ handle }) => handle);
      return missingScopes(remoteMethodScopes, granted);
    },
    async listIds(customerId) {
      const answer = await ask(readPaymentMethodsOfCustomer, { id: gidOf("Customer", customerId) });
      const { customer } = parseResponse(listSchema, answer);
      if (!customer) throw new StoreRefusalError("Shopify has no customer with this id");
      return customer.paymentMethods.nodes.map(({ id }) => plainIdOf("CustomerPaymentMethod", id));
    },
    async make(customerId, remote) {
      const variables = { customer: gidOf("Customer", customerId), remote: referenceOf(remote) };
      const made = await mutate(ask, createRemotePaymentMethod, variables).catch((error) => {
        throw error instanceof AccessDeniedError ? deniedError(error) : error;
      });
      const { customerPaymentMethod } = parseResponse(createdSchema, made);
      if (!customerPaymentMethod) throw new UnknownOutcomeError("Shopify does not say what it has made");
      return plainIdOf("CustomerPaymentMethod", customerPaymentMethod.id);
    },
    /** That one without an instrument is not processed yet is a guess: Shopify writes of details that are incomplete. */
    async findState(id) {
      const answer = await ask(readPaymentMethod, { id: gidOf("CustomerPaymentMethod", id) });
      const { customerPaymentMethod: method } = parseResponse(stateSchema, answer);
      if (!method || method.revokedAt !== null) return "revoked";
      return method.instrument === null ? "pending" : "ready";
    },
  };
}

/** If the answer is merely not to be read, it was made all the same. */
function deniedError(error: AccessDeniedError): Error {
  const answered = error instanceof PartlyDeniedError ? Object.values(error.data as object) : [];
  return answered.some((payload) => payload !== null)
    ? new UnknownOutcomeError(error.message)
    : new StoreRefusalError(`the app needs the scopes ${remoteMethodScopes.join(" and ")}`, error.codes);
}

/** CustomerPaymentMethodRemoteInput, which takes exactly one of them. */
function referenceOf({ gateway, customer_id, payment_method_id }: RemoteMethod): object {
  switch (gateway) {
    case "STRIPE":
      return { stripePaymentMethod: { customerId: customer_id, paymentMethodId: payment_method_id } };
    case "BRAINTREE":
      return { braintreePaymentMethod: { customerId: customer_id, paymentMethodToken: payment_method_id } };
    case "AUTHORIZE_NET":
      return {
        authorizeNetCustomerPaymentProfile: {
          customerProfileId: customer_id,
          customerPaymentProfileId: payment_method_id,
        },
      };
  }
}

const named = z.object({ id: z.string() });
const listSchema = z.object({
  customer: z.object({ paymentMethods: z.object({ nodes: z.array(named) }) }).nullable(),
});
const createdSchema = z.object({ customerPaymentMethod: named.nullable() });
const stateSchema = z.object({
  customerPaymentMethod: z
    .object({ revokedAt: z.string().nullable(), instrument: z.unknown().nullable() })
    .nullable(),
});
