import { v7 } from "uuid";

/** A new record id: UUIDv7, so ids sort by the time they were made (RFC 9562 §5.7). */
export const newId = (): string => v7();

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a string can be the id of a record; anything else is unknown without asking the database. */
export const isId = (value: string): boolean => uuid.test(value);
