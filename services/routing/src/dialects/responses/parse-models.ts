import { readSlug } from '../../request/slug.ts';
import type { Fields } from './fields.ts';
import type { Issues } from './issues.ts';
import { modelCharactersMax } from './limits.ts';
import { strings } from './strings.ts';

/** Fallbacks, beside the first choice. */
const modelsMax = 10;
const namesMax = 100;

const presetMark = '@preset/';
/** Models that stand for a choice among others, which plugins make. */
const routers: ReadonlySet<string> = new Set(
  ['auto', 'auto-beta', 'bodybuilder', 'fusion', 'jev-router', 'pareto-code', 'switchyard'].map(
    (name) => `service/${name}`,
  ),
);

/**
 * The models of a request, the first choice first, none twice; the default of its workspace where it names none.
 * One that only a preset, a plugin or a router could serve is refused by that name.
 */
export function parseModels(
  body: Fields,
  issues: Issues,
  defaultModel: string | undefined,
): readonly string[] {
  const model = body.string('model', { charactersMin: 1, charactersMax: modelCharactersMax });
  const bounds = { countMax: namesMax, charactersMax: modelCharactersMax };
  const fallbacks = strings(body, 'models', bounds);
  const first = model === undefined ? [] : [model];
  const named = fallbacks ? [...new Set([...first, ...fallbacks])] : first;
  if (named.length > modelsMax + 1)
    body.refuse('models', `must name at most ${String(modelsMax)} different models`);
  if (model !== undefined) refuseUnbuilt(model, 'model', issues);
  if (fallbacks)
    for (const [index, name] of fallbacks.entries())
      refuseUnbuilt(name, `models[${String(index)}]`, issues);
  refusePreset(body, issues);
  const namesNone = !body.has('model') && (fallbacks?.length ?? 0) === 0;
  if (!namesNone || (body.has('models') && fallbacks === undefined)) return named;
  if (defaultModel !== undefined) return [defaultModel];
  issues.add('model', 'is required: the workspace has no default model', 'model_not_found');
  return [];
}

function refuseUnbuilt(model: string, path: string, issues: Issues): void {
  const at = model.indexOf(presetMark);
  const name = at < 0 ? model : model.slice(0, at);
  if (at >= 0) refuseUnknownPreset(model.slice(at + presetMark.length), path, issues);
  const { id, unserved } = readSlug(name);
  if (routers.has(id)) issues.addUnbuilt(path, `the router ${id}`);
  if (unserved !== undefined)
    issues.addUnbuilt(path, `the plugin web, which :${unserved} stands for,`);
}

function refusePreset(body: Fields, issues: Issues): void {
  const preset = body.string('preset', { charactersMin: 1, charactersMax: modelCharactersMax });
  if (preset !== undefined) refuseUnknownPreset(preset, 'preset', issues);
}

/** Presets cannot be made yet: none of them exists. */
function refuseUnknownPreset(slug: string, path: string, issues: Issues): void {
  issues.add(path, `there is no preset "${slug}"`, 'not_found');
}
