import { z } from "zod";
import { staffRoles } from "../../src/base/accounts/roles.ts";
import type { Env } from "../../src/base/env.ts";
import { email } from "../../src/domain/profiles/schemas.ts";
import { addMember, inviteAgain } from "../../src/domain/staff/actions.ts";
import { findMemberByEmail } from "../../src/domain/staff/queries.ts";
import { createStaffLink } from "../../src/domain/staff-sessions/links.ts";
import { type Commands, checked, isLocal, recordsOf, required } from "./command.ts";
import { ctxFor } from "./context.ts";
import { UsageError, type Values } from "./options.ts";

const address = z.url({ protocol: /^https?$/, error: "must be the address of the deployment" });

export const staffCommands: Commands = {
  "staff invite": {
    takes: ["shop", "account", "email", "role", "url"],
    async run(where, values) {
      const to = checked(email, required(values, "email"), "email");
      const role = checked(z.enum(staffRoles).default("OWNER"), values.role, "role");
      const PUBLIC_URL = new URL(checked(address, addressOf(values), "url")).origin;
      const { db, account } = await recordsOf(where, values);
      const ctx = await ctxFor(db, account, { PUBLIC_URL } as Env);
      const known = await findMemberByEmail(ctx, to);
      const member = known ? await inviteAgain(ctx, known.id, []) : await addMember(ctx, { email: to, role });
      const { id: staff_id, name, status } = member;
      const link = await createStaffLink(ctx, staff_id);
      return [
        {
          account_id: account.id,
          shop: account.shop,
          staff_id,
          email: member.email,
          name,
          role: member.role,
          status,
          ...link,
        },
      ];
    },
  },
};

/** Where the deployment is reached. */
function addressOf(values: Values): string {
  const { PUBLIC_URL, OPERATOR_URL, PORT } = process.env;
  const known = values.url ?? PUBLIC_URL ?? OPERATOR_URL;
  if (known !== undefined) return known;
  if (isLocal(values)) return `http://127.0.0.1:${PORT || 8787}`;
  throw new UsageError("--url is required: the address of the deployment, to which the link leads");
}
