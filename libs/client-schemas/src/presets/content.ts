import type { JsonObject } from '../fields.ts';

/** The formats of requests that make a preset. */
export const presetFormats = ['responses', 'chat-completions', 'messages'] as const;
export type PresetFormat = (typeof presetFormats)[number];

export function isPresetFormat(text: string): text is PresetFormat {
  return presetFormats.some((format) => format === text);
}

/** The part of a request that a preset keeps. */
export interface PresetContent {
  /**
   * Fields of a request in the words of `POST /responses`. A field that this format lacks, such as `stop`, has the name
   * that it has in chat completions.
   */
  readonly config: JsonObject;
  readonly systemPrompt: string | null;
}

/** The mark between a model and a preset in a name. */
export const presetMark = '@preset/';

/** The fields of a preset about the cache of answers. No request has them. */
export const cacheFieldNames = ['cache_enabled', 'cache_ttl_seconds'] as const;

/** Returns the object without the fields that are undefined or null. */
export function present(fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  );
}

/** Returns the object without these fields. */
export function without(fields: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
