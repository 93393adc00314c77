import { type Static, Type } from 'typebox';
import { listOf } from '../fields.ts';
import { limits } from '../service-fields/limits.ts';
import { alignment } from './alignment.ts';
import { autoBetaRouter, autoRouter } from './auto-router.ts';
import { contextCompression } from './context-compression.ts';
import { fileParser } from './file-parser.ts';
import { fusion } from './fusion.ts';
import { jevRouter } from './jev-router.ts';
import { moderation } from './moderation.ts';
import { paretoRouter } from './pareto-router.ts';
import { responseHealing } from './response-healing.ts';
import { switchyardRouter } from './switchyard-router.ts';
import { web } from './web.ts';
import { webFetch } from './web-fetch.ts';

/**
 * The plugins, as they stand in `plugins` of a request and in the defaults of a workspace. A row a plugin. Settings are
 * checked also where nothing runs them yet: a client learns at once what will be wrong.
 */
const schemas = [
  alignment,
  autoBetaRouter,
  autoRouter,
  contextCompression,
  fileParser,
  fusion,
  jevRouter,
  moderation,
  paretoRouter,
  responseHealing,
  switchyardRouter,
  web,
  webFetch,
] as const;

export const plugin = Type.Union([...schemas], { mustBe: 'a plugin' });
export const plugins = listOf(plugin, { max: limits.pluginsMax });
export type PluginBody = Static<typeof plugins>[number];

export const pluginIds: readonly string[] = schemas.map(({ properties }) => properties.id.const);

const switched: ReadonlySet<string> = new Set(
  schemas.flatMap(({ properties }) => ('enabled' in properties ? [properties.id.const] : [])),
);

/** Returns false for a plugin that `enabled: false` switches off. Plugins without this setting are always on. */
export function isPluginOn(body: PluginBody): boolean {
  return !(switched.has(body.id) && 'enabled' in body && body.enabled === false);
}
