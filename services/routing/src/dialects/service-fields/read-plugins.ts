import type { PluginBody, PluginDefault, ServiceBody } from '@sluice/client-schemas';
import type { RequestDefaults } from '../../policy/policy.ts';
import type { Plugins } from '../../request/plugins.ts';

const none: Plugins = {};

/**
 * Returns the plugins of a request by id. The last entry of a plugin counts. An entry of the request stands before the
 * default of its workspace, unless the workspace prevents that.
 */
export function readPlugins(
  { plugins }: Pick<ServiceBody, 'plugins'>,
  { plugins: defaults }: Pick<RequestDefaults, 'plugins'>,
): Plugins {
  const isEmpty = !plugins || plugins.length === 0;
  if (isEmpty && !defaults) return none;
  const all = [
    ...(defaults ?? []).map(({ settings }) => settings),
    ...(plugins ?? []),
    ...forced(defaults),
  ];
  return Object.fromEntries(all.map((plugin) => [plugin.id, plugin]));
}

function forced(defaults: readonly PluginDefault[] | undefined): readonly PluginBody[] {
  return (defaults ?? []).flatMap(({ settings, preventsOverrides }) =>
    preventsOverrides ? settings : [],
  );
}

/** Returns a warning about entries that the workspace does not allow. Undefined: there are none. */
export function preventedWarning(
  { plugins }: Pick<ServiceBody, 'plugins'>,
  { plugins: defaults }: Pick<RequestDefaults, 'plugins'>,
): string | undefined {
  if (!plugins || !defaults) return undefined;
  const kept = new Set(forced(defaults).map(({ id }) => id));
  const named = plugins.flatMap(({ id }, index) =>
    kept.has(id) ? `plugins[${String(index)}] (${id})` : [],
  );
  if (named.length === 0) return undefined;
  return `without effect, because the workspace prevents overrides: ${named.join(', ')}`;
}
