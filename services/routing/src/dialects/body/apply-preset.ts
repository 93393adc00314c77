import { type JsonObject } from '@sluice/client-schemas';
import {
  isPresetSlug,
  type Merged,
  mergePreset,
  type PresetDoor,
  presetMark,
  type PresetName,
  presetNames,
} from '@sluice/client-schemas/presets';
import type { Rejection } from '@sluice/errors';
import type { RequestDefaults } from '../../policy/policy.ts';
import type { UsedPreset } from '../../request/named-models.ts';
import type { PresetWanted } from '../dialect.ts';
import { Issues } from './issues.ts';

const shownCharactersMax = 64;

/** A body with the fields of its preset. */
export interface WithPreset extends Merged {
  readonly preset: UsedPreset;
}

/** Returns true for a body that names a preset. */
export function namesPreset({ preset, model, models, fallbacks }: JsonObject): boolean {
  if (typeof preset === 'string') return true;
  if (typeof model === 'string' && model.includes(presetMark)) return true;
  return (models ?? fallbacks) !== undefined && presetNames({ models, fallbacks }).length > 0;
}

/** Merges the preset that a body names into it. All names of the body mean one preset. */
export function applyPreset(
  body: JsonObject,
  door: PresetDoor,
  { preset }: Pick<RequestDefaults, 'preset'>,
): WithPreset | Rejection {
  const [first, ...others] = presetNames(body);
  if (!first) throw new Error('invariant: the body names a preset');
  const issues = new Issues();
  for (const { path, slug } of others)
    if (slug !== first.slug)
      issues.add(path, `names another preset than ${first.path}: a request has one`);
  const refused = issues.rejection();
  if (refused) return refused;
  if (preset?.slug !== first.slug) return unknownPreset(first);
  const { model } = body;
  const requested = typeof model === 'string' ? model : `${presetMark}${first.slug}`;
  return { ...mergePreset(door, body, preset.content), preset: { ...preset, requested } };
}

/** A slug that no preset may have is looked up nowhere. */
function unknownPreset({ path, slug }: PresetName): PresetWanted | Rejection {
  const issues = new Issues();
  issues.add(path, `there is no preset "${slug.slice(0, shownCharactersMax)}"`, 'not_found');
  const rejection = issues.rejection();
  if (!rejection) throw new Error('invariant: an issue is a rejection');
  return isPresetSlug(slug) ? { ...rejection, wantedPreset: slug } : rejection;
}

/**
 * Returns the place of a problem in the words of the client: a tool at its place in the request, and a field of the
 * preset as one of it.
 */
export function placeOf(path: string, body: JsonObject, { toolPlaces, body: all }: Merged): string {
  const [, index, rest = ''] = /^tools\[(\d+)\](.*)$/s.exec(path) ?? [];
  if (index !== undefined) {
    const place = toolPlaces[Number(index)];
    return place === undefined ? `preset.${path}` : `tools[${String(place)}]${rest}`;
  }
  const [field = ''] = /^[^.[]*/.exec(path) ?? [];
  const isOfPreset = Object.hasOwn(all, field) && (body[field] ?? undefined) === undefined;
  return isOfPreset ? `preset.${path}` : path;
}
