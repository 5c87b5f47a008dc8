import { type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { optionalText, recordText, workedOutText } from "../../base/db/record-text.ts";
import { profileColumns } from "./queries.ts";
import type { ProfileBody } from "./schemas.ts";
import { profiles } from "./tables.ts";

/** A joined profile, as `presentProfile` shows it. */
export const profileText = recordText<z.input<typeof ProfileBody>>(profiles.id, {
  ...profileColumns,
  full_name: joinParts(sql`' '`, [profiles.first_name, profiles.last_name]),
  full_address: joinParts(sql`', '`, [
    ...[profiles.address1, profiles.address2, profiles.city],
    ...[profiles.region, profiles.postal_code, profiles.country],
  ]),
  country_code: optionalText(profiles.country_code),
});

/** The parts that are there and not empty. */
function joinParts(by: SQL, parts: (typeof profiles)[keyof typeof profiles.$inferSelect][]) {
  const given = parts.map((part) => sql`nullif(${part}, '')`);
  return workedOutText(sql`concat_ws(${by}, ${sql.join(given, sql`, `)})`);
}
