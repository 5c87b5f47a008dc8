// Made by `npm run object-migrations` from migrations/. Do not edit.

/** The version of the schema that this code works with. */
export const newestMigration = "0090_leases_by_account.sql";
