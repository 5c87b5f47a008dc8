/** The storage of an object keeps the promises of the storage port. */
import { newId } from "../../../src/base/lib/ids.ts";
import { storageSuite } from "../../storage/suite.ts";
import { beginEmptyObject, dbOfObject } from "../../support/objects.ts";

storageSuite("an object's storage", async () => {
  const id = newId();
  await beginEmptyObject(id);
  return dbOfObject(id);
});
