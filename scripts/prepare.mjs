// Makes what is not kept in the repository and what the Worker is built of. Built-ins only, and on Node 20.
await import("./assets.mjs");
await import("./guides.mjs");
await import("./schema-modules.mjs");
