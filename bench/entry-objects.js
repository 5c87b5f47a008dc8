// The Worker with the objects of accounts, which have the same stubs as the Worker outside of them.
import { stubs } from "./stubs.js";
import { AccountObject as Real } from "./worker.js";

export { default } from "./entry.js";

export class AccountObject extends Real {
  constructor(ctx, env) {
    super(ctx, { ...env, ...stubs });
  }
}
