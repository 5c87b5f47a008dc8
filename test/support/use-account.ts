import { beforeAll, beforeEach } from "vitest";
import { type Merchant, openMerchant } from "./records.ts";
import { openShop, type Shop } from "./shops.ts";
import { openSeller, type Seller } from "./subscriptions.ts";
import { openTenant, type Tenant } from "./tenant.ts";

/** An account with a customer and a weekly plan, for all tests of a file or of a describe. It is there once they run. */
export function useAccount(...options: Parameters<typeof openShop>): Shop {
  return filledBeforeAll(() => openShop(...options));
}

/** An account with a customer and a monthly plan. */
export function useShop(...options: Parameters<typeof openSeller>): Seller {
  return filledBeforeAll(() => openSeller(...options));
}

/** An account without records, and a member of its staff. */
export function useMerchant(...options: Parameters<typeof openMerchant>): Merchant {
  return filledBeforeAll(() => openMerchant(...options));
}

/** An account without records, and its API key. */
export function useTenant(...options: Parameters<typeof openTenant>): Tenant {
  return filledBeforeAll(() => openTenant(...options));
}

/** A new account, with a customer and a weekly plan, for each test. */
export function useAccountPerTest(...options: Parameters<typeof openShop>): Shop {
  return filledBeforeEach(() => openShop(...options));
}

/** A new account without records, and a member of its staff, for each test. */
export function useMerchantPerTest(...options: Parameters<typeof openMerchant>): Merchant {
  return filledBeforeEach(() => openMerchant(...options));
}

/** A new account without records, and its API key, for each test. */
export function useTenantPerTest(...options: Parameters<typeof openTenant>): Tenant {
  return filledBeforeEach(() => openTenant(...options));
}

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
