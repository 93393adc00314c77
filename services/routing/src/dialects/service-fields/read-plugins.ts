import type { ServiceBody } from '@sluice/client-schemas';
import type { Plugins } from '../../request/plugins.ts';

const none: Plugins = {};

/** Returns the plugins of a request by id. The last entry of a plugin counts. */
export function readPlugins({ plugins }: ServiceBody): Plugins {
  if (!plugins || plugins.length === 0) return none;
  return Object.fromEntries(plugins.map((plugin) => [plugin.id, plugin]));
}
