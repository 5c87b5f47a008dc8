/** A value that a migration gives the rows of a table one by one, as one statement for all would keep the database from others. */
export type Backfill = {
  /** The name by which its migration notes it in the table `backfills`. */
  name: string;
  table: string;
  /** The columns of the table's primary key. */
  key: string[];
  /** The assignment in SQL that a row gets. */
  set: string;
  /** The condition in SQL of rows that lack it. */
  missing: string;
};

/** They stay here for as long as a database may come from before their migration. */
export const backfills: readonly Backfill[] = [
  {
    name: "declaration_mails",
    table: "webhook_endpoints",
    key: ["account_seq", "id"],
    set: `event_types = json_insert(event_types, '$[#]', 'declaration.received'),
      own_event_types = json_insert(own_event_types, '$[#]', 'declaration.received')`,
    missing: `kind = 'mail' AND instr(event_types, '"declaration.received"') = 0 AND (mail ->> '$.kinds.declaration.is_enabled') IS NOT 0`,
  },
];
