import { z } from "@hono/zod-openapi";
import { staffRoles } from "../../base/accounts/roles.ts";
import { demoId } from "../../base/demo.ts";
import { type FieldText, named } from "../../kit/http/document/describe.ts";
import { commonTexts, idOut } from "../../kit/http/document/fields.ts";
import { idInPath, instant, nameIn, orNull } from "../../kit/http/document/params.ts";
import { dataOf, listOf, pageQuery } from "../../kit/http/list/pagination.ts";
import { email } from "../profiles/schemas.ts";
import { staffStatuses } from "./tables.ts";

const role = z.enum(staffRoles).openapi("StaffRole", {
  description:
    "What a member of staff may do in the console. OWNER: all. MANAGER: all but staff and keys. SUPPORT: customers, subscriptions and billing, and reads orders. WAREHOUSE: orders and delivery, and reads plans. VIEWER: reads all but staff and keys.",
  example: "SUPPORT",
});
const status = z.enum(staffStatuses).openapi("StaffStatus", {
  description:
    "INVITED: has not signed in yet. ACTIVE: has signed in. SUSPENDED: cannot sign in, and has no session.",
  example: "ACTIVE",
});
const chosenStatus = z.enum(["ACTIVE", "SUSPENDED"]).openapi("StaffStatusChoice", {
  description: "SUSPENDED ends the sessions at once; ACTIVE lets somebody sign in again.",
  example: "SUSPENDED",
});

const texts = {
  ...commonTexts,
  id: ["The member's id.", demoId("staff", 1)],
  email: [
    "The e-mail address that sign-in links are sent to, at most 254 characters. No two members of an account have the same one, in any case.",
    "sam@shop.example",
  ],
  name: [
    "The name under which the history shows what they do, 1 to 255 characters. By default the part of the address before the @.",
    "Sam Support",
  ],
  role: "What they may do.",
  status: "Whether they can sign in.",
  last_seen_at: ["When they last used the console, to ten minutes; null if never.", null],
} as const satisfies Record<string, FieldText>;

export const StaffBody = named(
  "StaffMember",
  z.strictObject({
    id: idOut,
    email: z.string(),
    name: z.string(),
    role,
    status,
    last_seen_at: orNull(instant),
    created_at: instant,
  }),
  texts,
  { description: "Somebody who signs in to the console." },
);
export const StaffData = dataOf(StaffBody, "StaffMemberData", "The member of staff.");
export const StaffList = listOf(StaffBody, "StaffMemberList");
export const StaffQuery = z.strictObject(pageQuery);
export const staffParams = z.strictObject({ id: idInPath("id", "member of staff", demoId("staff", 1)) });

export const StaffCreate = named(
  "StaffMemberCreate",
  z.strictObject({ email, name: nameIn.optional(), role }),
  texts,
  { example: { email: "sam@shop.example", name: "Sam Support", role: "SUPPORT" } },
);
export type NewMember = Pick<z.output<typeof StaffCreate>, "email" | "role"> & { name?: string | undefined };

export const StaffUpdate = named(
  "StaffMemberUpdate",
  z.strictObject({
    email: email.optional(),
    name: nameIn.optional(),
    role: role.optional(),
    status: chosenStatus.optional(),
  }),
  texts,
  { example: { role: "MANAGER" } },
);
export type MemberChanges = z.output<typeof StaffUpdate>;

export const StaffInvitation = dataOf(
  named(
    "StaffInvitation",
    z.strictObject({
      member: StaffBody,
      url: z.string().nullable(),
    }),
    {
      member: "The member of staff.",
      url: [
        "Opens the console once, within 15 minutes: give it to them alone. Null where a mail provider is enabled, which sends it.",
        "https://api.example.com/console/demo-store.myshopify.com/enter?token=EXAMPLE",
      ],
    },
    { description: "A member of staff, and the link that signs them in." },
  ),
  "StaffInvitationData",
  "The invitation.",
);
