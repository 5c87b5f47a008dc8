import { experimental_readRawConfig } from "wrangler";
import { root } from "../../scripts/paths.ts";
import type { Consumer } from "./platform.ts";

type Section = { queues: { consumers: (Consumer & { queue: string })[] } };

/** How production's jobs are consumed, as wrangler.toml says. */
export function productionConsumer(): Consumer {
  const { rawConfig } = experimental_readRawConfig({ config: `${root}wrangler.toml` });
  const { queues } = (rawConfig as unknown as { env: { production: Section } }).env.production;
  return queues.consumers.find(({ queue }) => queue.endsWith("-jobs")) as Consumer;
}
