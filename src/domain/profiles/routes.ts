import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { emailKey } from "../../base/lib/email-address.ts";
import { answerRecord, answerRemoved } from "../../kit/http/answer-record.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { pathId } from "../../kit/http/document/params.ts";
import { answerList, pageAnswer } from "../../kit/http/list/list-answer.ts";
import { answersDry, previewed } from "../../kit/http/preview/previewed.ts";
import { changeProfile, createProfile } from "./actions.ts";
import { createAddress, removeAddress } from "./addresses.ts";
import { profilesOfCsv, profilesOfForm } from "./media.ts";
import { presentAddress, presentProfile } from "./present.ts";
import { getAddress, getProfile, listAddresses, listProfiles } from "./queries.ts";
import { uploadProfiles } from "./upload.ts";

const { AddressCreate, AddressData, AddressList, AddressQuery, addressPath } = deferred(
  () => import("./address-schemas.ts"),
);
const {
  ProfileCreate,
  ProfileData,
  ProfileList,
  ProfileQuery,
  ProfileUpdate,
  ProfileUpload,
  ProfileUploaded,
} = deferred(() => import("./schemas.ts"));

const params = pathId("profile", demoId("profile", 1));
const path = "/api/profiles";
const common = { tag: "Profiles", credentials: "apiKeyAndBearer", resource: "profiles" } as const;

export const profileOperations = [
  operation({
    ...common,
    id: "listProfiles",
    method: "get",
    path,
    summary: "List profiles",
    description: "The account's customers, newest first.",
    query: ProfileQuery,
    success: pageAnswer("A page of profiles.", ProfileList),
    handler: ({ c, ctx, query }) => {
      const { page: _page, limit: _limit, cursor: _cursor, email, ...others } = query;
      const filters = { ...others, email_folded: email && emailKey(email) };
      return answerList({ c, query }, (page) => listProfiles(ctx, page, filters), presentProfile);
    },
  }),
  operation({
    ...common,
    id: "createProfile",
    ...previewed,
    method: "post",
    path,
    summary: "Create a profile",
    description: "Adds a customer. Refused with EMAIL_TAKEN if another profile has the e-mail address.",
    body: ProfileCreate,
    errors: ["EMAIL_TAKEN"],
    success: { status: 200, description: "The new profile.", schema: ProfileData },
    handler: ({ ctx, body }) => answerRecord(createProfile(ctx, body), presentProfile),
    answerAgain: ({ ctx, created }) => answerRecord(getProfile(ctx, created.profile), presentProfile),
  }),
  operation({
    ...common,
    id: "uploadProfiles",
    method: "post",
    path: `${path}/bulk-upload`,
    summary: "Create or change many profiles",
    destructive: true,
    description:
      "Creates or changes the profiles with these e-mail addresses, at most 10,000 rows, all or none. The body is JSON (`{profiles: […]}` or a bare array), CSV whose header names fields of a profile, or a form with such a file in the field `file`.",
    body: ProfileUpload,
    bodyLimit: 10 * 1024 * 1024,
    otherMedia: {
      "text/csv": {
        schema: z.string().openapi({ example: "email,first_name\ngrace@example.com,Grace\n" }),
        parse: profilesOfCsv,
      },
      "multipart/form-data": {
        schema: z.object({
          file: z.string().openapi({
            format: "binary",
            description: "A CSV or JSON file with the profiles.",
            example: "email,first_name\ngrace@example.com,Grace\n",
          }),
        }),
        parse: profilesOfForm,
      },
    },
    errors: ["VERSION_CONFLICT"],
    success: { status: 200, description: "The number of rows.", schema: ProfileUploaded },
    handler: async ({ ctx, body }) => ({ imported: await uploadProfiles(ctx, body.profiles) }),
    answerAgain: ({ body }) => ({ imported: body.profiles.length }),
  }),
  operation({
    ...common,
    id: "getProfile",
    method: "get",
    path: `${path}/{id}`,
    summary: "Get a profile",
    description: "One customer by id. Deleted profiles are not found.",
    params,
    success: { status: 200, description: "The profile.", schema: ProfileData },
    handler: ({ ctx, params }) => answerRecord(getProfile(ctx, params.id), presentProfile),
  }),
  operation({
    ...common,
    id: "updateProfile",
    ...previewed,
    method: "put",
    path: `${path}/{id}`,
    summary: "Change a profile",
    description:
      "Changes the fields that the body names; null clears one. Delivery addresses of subscriptions are copies and stay.",
    params,
    body: ProfileUpdate,
    errors: ["EMAIL_TAKEN", "VERSION_CONFLICT"],
    success: { status: 200, description: "The changed profile.", schema: ProfileData },
    handler: ({ ctx, params, body }) => answerRecord(changeProfile(ctx, params.id, body), presentProfile),
  }),
];

const addresses = { ...common, tag: "Delivery addresses" };

export const addressOperations = [
  operation({
    ...addresses,
    id: "listDeliveryAddresses",
    method: "get",
    path: `${path}/{id}/addresses`,
    summary: "List a profile's delivery addresses",
    description: "The addresses that the customer has saved, newest first.",
    params,
    query: AddressQuery,
    success: pageAnswer("A page of addresses.", AddressList),
    handler: ({ c, ctx, params: { id }, query }) =>
      answerList(
        { c, query },
        async (page) => {
          const own = listAddresses(ctx, page, { profile_id: id });
          const [addresses] = await Promise.all([own, getProfile(ctx, id)]);
          return addresses;
        },
        presentAddress,
      ),
  }),
  operation({
    ...addresses,
    id: "createDeliveryAddress",
    ...previewed,
    method: "post",
    path: `${path}/{id}/addresses`,
    summary: "Add a delivery address",
    description:
      "Saves an address for the customer. No subscription delivers to it until one is told to. A profile has at most 50.",
    params,
    body: AddressCreate,
    errors: ["INVALID_STATE", "VERSION_CONFLICT"],
    success: { status: 201, description: "The new address.", schema: AddressData },
    alsoAnswers: answersDry("the address as it would be", AddressData),
    handler: ({ ctx, params, body }) => answerRecord(createAddress(ctx, params.id, body), presentAddress),
    answerAgain: ({ ctx, params, created }) =>
      answerRecord(getAddress(ctx, params.id, created.address), presentAddress),
  }),
  operation({
    ...addresses,
    id: "deleteDeliveryAddress",
    ...previewed,
    method: "delete",
    path: `${path}/{id}/addresses/{addressId}`,
    summary: "Delete a delivery address",
    description: "Subscriptions that deliver to it keep a copy.",
    params: addressPath,
    errors: ["VERSION_CONFLICT"],
    success: { status: 204, description: "Deleted." },
    alsoAnswers: answersDry("the address that would be deleted", AddressData),
    handler: ({ c, ctx, params }) =>
      answerRemoved({ c, ctx }, removeAddress(ctx, params.id, params.addressId), presentAddress),
  }),
];
