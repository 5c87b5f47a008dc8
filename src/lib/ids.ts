import { v7 } from "uuid";

/** A new record id: a UUIDv7 (RFC 9562 §5.7), so that ids sort by creation time. */
export const newId = (): string => v7();

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a string can be the id of a record. Any other string is unknown without a query. */
export const isId = (value: string): boolean => uuid.test(value);
