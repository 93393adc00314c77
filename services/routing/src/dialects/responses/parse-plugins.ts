import { type Fields, isObject } from './fields.ts';
import type { Issues } from './issues.ts';
import { pluginsMax } from './limits.ts';
import { plugins } from './plugins.ts';
import { type Place, inside } from './shape.ts';

/** Which plugins a request names: the last entry of each counts. */
export type NamedPlugins = ReadonlyMap<string, { readonly isEnabled: boolean }>;

/** Plugins that are accepted without effect for accounts outside the beta. No account is in it yet. */
const inBeta: ReadonlySet<string> = new Set(['alignment']);

const noPlugins: NamedPlugins = new Map();

/**
 * Checks `plugins` with all their settings. One that is not built is refused by its name, in other words than one
 * that does not exist; one that is switched off asks for nothing.
 */
export function parsePlugins(body: Fields, issues: Issues): NamedPlugins {
  const given = body.array('plugins', pluginsMax);
  if (!given) return noPlugins;
  const named = new Map<string, { readonly place: Place; readonly isEnabled: boolean }>();
  for (const [index, entry] of given.entries()) {
    const place = { path: `plugins[${String(index)}]`, issues };
    const asked = parseEntry(entry, place);
    if (asked) named.set(asked.id, { place, isEnabled: asked.isEnabled });
  }
  for (const [id, { place, isEnabled }] of named)
    if (isEnabled && !inBeta.has(id))
      issues.addUnbuilt(inside(place, 'id').path, `the plugin ${id}`);
  return named;
}

function parseEntry(
  entry: unknown,
  place: Place,
): { readonly id: string; readonly isEnabled: boolean } | undefined {
  const { issues, path } = place;
  if (!isObject(entry)) return issues.add(path, 'must be a plugin');
  const { id, enabled } = entry;
  if (id === undefined || id === null) return issues.add(`${path}.id`, 'is required');
  const plugin = plugins.get(id);
  if (typeof id !== 'string' || !plugin)
    return issues.add(`${path}.id`, `must be one of ${[...plugins.keys()].join(', ')}`);
  plugin.check(entry, place);
  return { id, isEnabled: !plugin.hasSwitch || enabled !== false };
}

/** `truncation: auto` is a way to ask for a plugin, unless the request says itself whether it wants that. */
export function refuseTruncation(body: Fields, named: NamedPlugins, issues: Issues): void {
  const truncation = body.oneOf('truncation', ['auto', 'disabled']);
  if (truncation === 'auto' && !named.has('context-compression'))
    issues.addUnbuilt('truncation', 'auto needs the plugin context-compression, which');
}
