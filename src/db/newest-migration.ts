// Made by `npm run object-migrations` from migrations/. Do not edit.

/** The version of the schema that this code works with. */
export const newestMigration = "0057_entries_by_sequence.sql";
