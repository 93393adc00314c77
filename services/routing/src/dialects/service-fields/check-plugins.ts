import { isPluginOn, type ServiceBody, unbuiltPlugins } from '@sluice/client-schemas';
import type { Issues } from '../body/issues.ts';

/**
 * Refuses each plugin that is not built, with its name. The last entry of a plugin counts. A disabled plugin has no
 * effect.
 */
export function checkPlugins({ plugins }: ServiceBody, issues: Issues): void {
  const named = new Map((plugins ?? []).map((plugin, index) => [plugin.id, { plugin, index }]));
  for (const [id, { plugin, index }] of named)
    if (unbuiltPlugins.has(id) && isPluginOn(plugin))
      issues.addUnbuilt(`plugins[${String(index)}].id`, `the plugin ${id}`);
}
