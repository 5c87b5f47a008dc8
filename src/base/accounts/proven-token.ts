import type { Account } from "./tables.ts";
import type { Token } from "./tokens.ts";

/** A valid token whose account, key and profile all exist; or a session of the portal or the console, which proves as much. */
export type ProvenToken = { claims: Token; account: Account; isSession?: true };
