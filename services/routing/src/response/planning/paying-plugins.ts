import type { PluginId } from '../../request/plugins.ts';

/** Plugins that pay for work before the endpoints are chosen. */
export const payingPlugins: readonly PluginId[] = ['web', 'file-parser'];
