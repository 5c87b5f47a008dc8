/** Schemas can be named in the document only if this has been loaded before they are made, whichever file is tested first. */
import "@hono/zod-openapi";
