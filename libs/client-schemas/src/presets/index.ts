export {
  isPresetFormat,
  type PresetContent,
  type PresetFormat,
  presetFormats,
  presetMark,
} from './content.ts';
export {
  type Merged,
  mergePreset,
  type PresetDoor,
  type PresetName,
  presetNames,
} from './merge.ts';
export { isPresetSlug, presetSlugRule } from './slug.ts';
export { presetBodies, presetCharactersMax, readPresetBody } from './read-body.ts';
