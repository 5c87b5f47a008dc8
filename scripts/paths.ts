import { dirname } from "node:path";

/** The project's folder, with a trailing slash. */
export const root = `${dirname(import.meta.dirname)}/`;
