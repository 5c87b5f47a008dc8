import type { z } from "@hono/zod-openapi";
import type { StaffBody } from "./schemas.ts";
import type { StaffMember } from "./tables.ts";

export function presentMember(row: StaffMember): z.input<typeof StaffBody> {
  const { id, email, name, role, status, last_seen_at, created_at } = row;
  return { id, email, name, role, status, last_seen_at, created_at };
}
