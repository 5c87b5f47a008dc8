/** Every store says when its connection or its permissions are gone. */
import { expect } from "vitest";
import { UnknownOutcomeError } from "../../../src/stores/port.ts";
import { overStores } from "./promises.ts";

overStores((promise) => {
  promise(
    "setUp",
    "has the store send its webhooks here, and mends what is missing",
    async (world, store) => {
      await store.setUp!();
      const all = world.webhooks!.count();
      expect(await store.setUp!()).toEqual({ refusal: null, warnings: [], registered: 0 });
      await world.webhooks!.drop();
      expect(await store.setUp!()).toEqual({ refusal: null, warnings: [], registered: all });
      expect(world.webhooks!.count()).toBe(all);
    },
  );

  promise(
    "keepWebhooks",
    "has the store send its webhooks here, and mends what is missing",
    async (world) => {
      const keep = async () => (await world.open()).keepWebhooks!();
      await keep();
      const all = world.webhooks!.count();
      expect(all).toBeGreaterThan(0);
      await keep();
      expect(world.webhooks!.count()).toBe(all);
      await world.webhooks!.drop();
      expect(world.webhooks!.count()).toBe(0);
      await keep();
      expect(world.webhooks!.count()).toBe(all);
    },
  );

  promise("findMissingScopes", "names a permission that the store has taken away", async (world, store) => {
    expect(await store.findMissingScopes!()).not.toContain("read_returns");
    world.scopes!.take("read_returns");
    expect(await store.findMissingScopes!()).toContain("read_returns");
  });

  promise("requireConnection", "throws once the store has disconnected the account", async (world, store) => {
    await store.requireConnection!();
    await world.disconnect!();
    await expect((await world.open()).requireConnection!()).rejects.toThrow(UnknownOutcomeError);
    await world.reconnect!();
    await (await world.open()).requireConnection!();
  });

  promise(
    "disconnectIfUninstalled",
    "disconnects the account once its app is uninstalled",
    async (world, store) => {
      expect(await store.disconnectIfUninstalled!()).toBe(false);
      await store.requireConnection!();
      world.uninstall!();
      const later = await world.open();
      expect(await later.disconnectIfUninstalled!()).toBe(true);
      expect(await later.disconnectIfUninstalled!()).toBe(true);
      await expect((await world.open()).requireConnection!()).rejects.toThrow(UnknownOutcomeError);
    },
  );
});
