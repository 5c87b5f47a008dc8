import { allScopes, type Scope } from "./scopes.ts";

export const staffRoles = ["OWNER", "MANAGER", "SUPPORT", "WAREHOUSE", "VIEWER"] as const;
export type StaffRole = (typeof staffRoles)[number];

/** The scopes of a role. Staff and keys need the role OWNER besides (requireOwner). */
export function scopesOfRole(role: StaffRole): readonly Scope[] {
  return scopesByRole[role];
}

/** Whether somebody who changes from one role to the other may do less than before. */
export function isDemotion(from: StaffRole, to: StaffRole): boolean {
  return scopesByRole[from].some((scope) => !scopesByRole[to].includes(scope));
}

const notOfStaff = allScopes.filter((scope) => !scope.startsWith("staff:"));

const scopesByRole: Record<StaffRole, readonly Scope[]> = {
  OWNER: allScopes,
  MANAGER: notOfStaff,
  SUPPORT: [
    ...(["profiles:read", "profiles:write", "subscriptions:read", "subscriptions:write"] as const),
    ...([
      "orders:read",
      "billing:read",
      "billing:write",
      "reasons:read",
      "mails:read",
      "mails:write",
    ] as const),
  ],
  WAREHOUSE: ["orders:read", "orders:write", "delivery:read", "delivery:write", "plans:read"],
  VIEWER: notOfStaff.filter((scope) => scope.endsWith(":read")),
};
