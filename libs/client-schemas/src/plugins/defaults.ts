import type { JsonObject } from '../fields.ts';
import { eachUnknownField, knownFieldsOf } from '../known-fields.ts';
import { type Problem, problemsOf } from '../problems.ts';
import { limits } from '../service-fields/limits.ts';
import { type PluginBody, plugin } from './index.ts';

/** The settings that a plugin has in the requests of a workspace. */
export interface PluginDefault {
  readonly settings: PluginBody;
  /** The entry of a request for this plugin has no effect. */
  readonly preventsOverrides: boolean;
}

/** The settings of a plugin before they are checked. */
export interface GivenDefault {
  readonly settings: JsonObject;
  readonly preventsOverrides: boolean;
}

const problemsMax = 20;
/** A request brings longer settings itself. */
const allCharactersMax = 131_072;
const known = knownFieldsOf(plugin, []);

/** Lists the problems of the defaults of a workspace. They are as strict as a request with `plugins`, and closed. */
export function pluginDefaultProblems(
  defaults: readonly GivenDefault[],
  path: string,
): readonly Problem[] {
  if (defaults.length > limits.pluginsMax)
    return [{ path, message: `must have at most ${String(limits.pluginsMax)} items` }];
  if (JSON.stringify(defaults).length > allCharactersMax)
    return [{ path, message: `must have at most ${String(allCharactersMax)} characters as JSON` }];
  const seen = new Set<unknown>();
  const problems = defaults.flatMap(({ settings }, index) => {
    const at = `${path}[${String(index)}]`;
    const found = [...entryProblems(settings, at)];
    const { id } = settings;
    if (seen.has(id)) found.push({ path: `${at}.id`, message: 'stands in the list already' });
    seen.add(id);
    return found;
  });
  return problems.slice(0, problemsMax);
}

function entryProblems(settings: JsonObject, path: string): readonly Problem[] {
  const wrong = problemsOf(plugin, settings, { path, max: problemsMax });
  if (wrong.length > 0) return wrong;
  const problems: Problem[] = [];
  eachUnknownField(
    settings,
    known,
    (field) =>
      problems.push({ path: `${field.path}.${field.name}`, message: 'there is no such field' }),
    path,
  );
  return problems;
}

/** Returns the defaults if they have no problem. */
export function readPluginDefaults(
  defaults: readonly GivenDefault[],
): readonly PluginDefault[] | undefined {
  if (pluginDefaultProblems(defaults, '').length > 0) return undefined;
  return defaults as readonly PluginDefault[];
}

const mark = 'prevent_overrides';

/** Reads an entry of `default_plugins`: the entry of a request, and `prevent_overrides`. */
export function readDefaultEntry(entry: JsonObject): GivenDefault {
  const { [mark]: prevents, ...settings } = entry;
  return { settings, preventsOverrides: prevents === true };
}

/** Writes an entry of `default_plugins`. */
export function writeDefaultEntry({ settings, preventsOverrides }: GivenDefault): JsonObject {
  return { ...settings, [mark]: preventsOverrides };
}

export { isObject } from '../fields.ts';
