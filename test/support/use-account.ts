import { beforeAll, beforeEach } from "vitest";
import { type Life, life } from "./lives.ts";
import { type Merchant, merchant } from "./records.ts";
import { type Shop, shopWith } from "./subscriptions.ts";
import { type Tenant, tenant } from "./tenant.ts";

/** An account with a customer and a weekly plan, for all tests of a file or of a describe. It is there once they run. */
export const useAccount = (...options: Parameters<typeof life>): Life =>
  filledBeforeAll(() => life(...options));

/** An account with a customer and a monthly plan. */
export const useShop = (...options: Parameters<typeof shopWith>): Shop =>
  filledBeforeAll(() => shopWith(...options));

/** An account without records, and a member of its staff. */
export const useMerchant = (...options: Parameters<typeof merchant>): Merchant =>
  filledBeforeAll(() => merchant(...options));

/** An account without records, and its API key. */
export const useTenant = (...options: Parameters<typeof tenant>): Tenant =>
  filledBeforeAll(() => tenant(...options));

/** A new account, with a customer and a weekly plan, for each test. */
export const useAccountPerTest = (...options: Parameters<typeof life>): Life =>
  filledBeforeEach(() => life(...options));

/** A new account without records, and a member of its staff, for each test. */
export const useMerchantPerTest = (...options: Parameters<typeof merchant>): Merchant =>
  filledBeforeEach(() => merchant(...options));

/** A new account without records, and its API key, for each test. */
export const useTenantPerTest = (...options: Parameters<typeof tenant>): Tenant =>
  filledBeforeEach(() => tenant(...options));

function filledBeforeAll<T extends object>(create: () => Promise<T>): T {
  const target = {} as T;
  beforeAll(async () => {
    Object.assign(target, await create());
  });
  return target;
}

function filledBeforeEach<T extends object>(create: () => Promise<T>): T {
  const target = {} as T;
  beforeEach(async () => {
    Object.assign(target, await create());
  });
  return target;
}
