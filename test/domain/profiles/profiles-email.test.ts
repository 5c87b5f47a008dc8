/** An e-mail address is one profile's in its account, whatever its case, also under simultaneous requests. */
import { describe, expect, test } from "vitest";
import { faults, listed, openMerchant } from "../../support/records.ts";
import { newEmail, path, useProfiles } from "./profiles.setup.ts";

const { account, post, create, change, get, remove } = useProfiles();

describe("e-mail: unique by its lower-case form among an account's profiles that are not deleted (EMAIL_TAKEN)", () => {
  const emailTaken = [409, "EMAIL_TAKEN"];

  test("the same address in any case is taken, and an address is returned as sent", async () => {
    const profile = await create({ email: "Mixed.Case@Customers.Test" });
    expect(profile.email).toBe("Mixed.Case@Customers.Test");
    for (const email of [
      "Mixed.Case@Customers.Test",
      "mixed.case@customers.test",
      "MIXED.CASE@CUSTOMERS.TEST",
    ])
      expect(faults(await post({ email }))).toEqual(emailTaken);
  });

  test("another account's e-mail is free", async () => {
    const { email } = await create();
    const other = await openMerchant();
    expect((await create({ email }, other)).email).toBe(email);
  });

  test("an update to another profile's e-mail is refused; one that only changes the case of its e-mail is not", async () => {
    const [one, two] = [await create(), await create()];
    expect(faults(await change(two.id, { email: (one.email as string).toUpperCase() }))).toEqual(emailTaken);
    expect((await get(two.id)).body.data).toEqual(two);
    const { status, body } = await change(two.id, { email: (two.email as string).toUpperCase() });
    expect([status, body.data.email]).toEqual([200, (two.email as string).toUpperCase()]);
  });

  test("an update frees the former e-mail, and so does a delete", async () => {
    const one = await create();
    await change(one.id, { email: newEmail() });
    const two = await create({ email: one.email });
    expect((await remove(two.id)).status).toBe(204);
    const three = await create({ email: one.email });
    expect(three.id).not.toBe(two.id);
  });

  test("exactly one of 20 simultaneous creations succeeds", async () => {
    const email = newEmail();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post({ email })));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(19).fill(409)]);
    for (const answer of answers.filter(({ status }) => status === 409))
      expect(faults(answer)).toEqual(emailTaken);
    expect((await listed(account.admin, path, { email })).meta.total).toBe(1);
  });

  test("exactly one of 10 simultaneous updates to one e-mail succeeds", async () => {
    const profiles = await Promise.all(Array.from({ length: 10 }, () => create()));
    const email = newEmail();
    const answers = await Promise.all(profiles.map(({ id }) => change(id, { email })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    expect((await listed(account.admin, path, { email })).meta.total).toBe(1);
  });
});
