/** Each member of the store port has a promise that is tested over every adapter. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** The interfaces of the store port, each with its members and their types. */
const interfaces = new Map(
  ["src/stores/port.ts", ...globSync("src/stores/port/*.ts")].flatMap((path) => {
    const text = readFileSync(path, "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "");
    return [...text.matchAll(/^export interface (\w+)(?: extends [\w, ]+)? \{\n([\s\S]*?)^\}/gm)].map(
      ([, name, body]) => [name!, membersIn(body!)] as const,
    );
  }),
);

type Member = { name: string; type: string; isAsync: boolean };

function membersIn(body: string): Member[] {
  return [...body.matchAll(/^ {2}(\w+)\??(?:[(<].*|: (.*);$)/gm)].map(([line, name, type = ""]) => ({
    name: name!,
    type,
    isAsync: line.includes("): Promise<"),
  }));
}

/** The members of a store; those of a part have its name before theirs. */
function membersOfStore(isMeant: (member: Member) => boolean = () => true): string[] {
  const parts = interfaces.get("Store")!.filter(({ type }) => interfaces.has(type));
  const within = new Map(parts.map(({ name, type }) => [type, `${name}.`]));
  return [...interfaces].flatMap(([its, members]) =>
    members
      .filter((member) => !interfaces.has(member.type) && isMeant(member))
      .map(({ name }) => `${within.get(its) ?? ""}${name}`),
  );
}

test("the reader finds the port's members", () => {
  expect([...interfaces.keys()].toSorted()).toEqual([
    ...["Store", "StoreContracts", "StoreDisputes", "StorePaymentMethods", "StorePlans", "StoreRecords"],
    ...["StoreRefunds", "StoreRemoteMethods"],
  ]);
  const members = membersOfStore();
  expect(members).toHaveLength(new Set(members).size);
  for (const one of [
    "charge",
    "findMadeCharge",
    "refund",
    "contracts.withContractLease",
    "records.findOrder",
  ])
    expect(members).toContain(one);
});

test("each member of the port has a promise, which is tested over every adapter that has it (test/stores/port/promises.ts)", () => {
  const stated = globSync("test/stores/port/*.test.ts").flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/\bpromise\(\s*"([\w.]+)"/g)].map(([, member]) => member!),
  );
  expect([...new Set(stated)].toSorted()).toEqual(membersOfStore().toSorted());
});

/** Members that ask the database alone, whatever the store. */
const unasked = ["requireConnection", "contracts.noteDelivery", "contracts.withContractLease"];

test("each member that asks the store is called while the store does not answer (test/stores/port/unanswered.test.ts)", () => {
  const text = readFileSync("test/stores/port/unanswered.test.ts", "utf8");
  const called = [...text.matchAll(/^ {2}"?([\w.]+)"?: (?:async )?\(store/gm)].map(([, member]) => member!);
  const asking = membersOfStore(({ isAsync }) => isAsync).filter((member) => !unasked.includes(member));
  expect(called.toSorted()).toEqual(asking.toSorted());
});
