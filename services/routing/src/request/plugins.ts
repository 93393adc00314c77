import { isPluginOn, type PluginBody } from '@sluice/client-schemas';

export type PluginId = PluginBody['id'];

/** The settings of one plugin, as its schema accepted them. */
export type PluginSettings<Id extends PluginId> = Extract<PluginBody, { readonly id: Id }>;

/** The plugins that a request names, by id. One that the request switches off is among them. */
export type Plugins = { readonly [Id in PluginId]?: PluginSettings<Id> };

/** Returns the settings of a plugin that is on; undefined: the request does not ask for it. */
export function settingsOf<Id extends PluginId>(
  { plugins }: { readonly plugins: Plugins },
  id: Id,
): PluginSettings<Id> | undefined {
  const settings: PluginSettings<Id> | undefined = plugins[id];
  return settings && isPluginOn(settings) ? settings : undefined;
}
