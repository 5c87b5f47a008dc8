import { deferred } from "../../../kit/http/deferred.ts";
import { operation } from "../../../kit/http/document/operation.ts";
import { previewed } from "../../../kit/http/preview/previewed.ts";
import { changeAddress } from "../actions/follow-address.ts";

const { AddressChanged, AddressUpdate, addressPath } = deferred(
  () => import("../../profiles/address-schemas.ts"),
);

/** The operation on a customer's saved address that may change subscriptions too. */
export const savedAddressOperations = [
  operation({
    tag: "Delivery addresses",
    credentials: "apiKeyAndBearer",
    resource: "profiles",
    id: "updateDeliveryAddress",
    ...previewed,
    method: "put",
    path: "/api/profiles/{id}/addresses/{addressId}",
    summary: "Change a delivery address",
    description:
      "Changes the fields that the body names. Subscriptions that deliver to it keep theirs, unless update_subscriptions is true.",
    params: addressPath,
    body: AddressUpdate,
    errors: ["INVALID_STATE", "VERSION_CONFLICT"],
    success: { status: 200, description: "The changed address.", schema: AddressChanged },
    handler: ({ ctx, params, body }) =>
      changeAddress(ctx, { profileId: params.id, id: params.addressId }, body),
  }),
];
