import type { Model } from '@sluice/catalog';
import type { JsonObject } from '@sluice/client-schemas';
import { type PluginSettings, settingsOf } from '../../request/plugins.ts';
import { readSlug } from '../../request/slug.ts';
import type { Candidate } from '../candidate.ts';
import { type Preset, panelOf } from '../../tools/fusion/presets.ts';
import { modelNotFound } from '../unknown-model.ts';
import type { Narrowed, RoutedCall, Router, RouterKnowledge } from './router.ts';

const slug = 'service/fusion';
const presetDefault: Preset = 'general-high';

type Known = Pick<RouterKnowledge, 'catalog' | 'permits' | 'rankings'>;
type Settings = Partial<PluginSettings<'fusion'>>;

/**
 * Stands for a model that may ask a panel of models and their analyst. The panel is the server tool `service:fusion`,
 * which `fusionParameters` adds to the request.
 */
export const fusion: Router = {
  slug,
  strategy: 'fusion',
  expand(call, known) {
    const settings: Settings = settingsOf(call, 'fusion') ?? {};
    const panel = presetPanel(settings, known);
    const { model: named } = settings;
    const writers = named == null ? panel : [known.catalog.find(named)?.id ?? ''];
    if (writers.length === 0 || writers[0] === '') return modelNotFound([named ?? slug]);
    return { models: writers, narrow: (able) => narrowed(able, { settings, panel, writers }) };
  },
};

/** Returns true for a request that `service/fusion` or its plugin concerns. */
export function concernsFusion({ plugins, preferences }: RoutedCall): boolean {
  return plugins.fusion !== undefined || isRouted(preferences.models);
}

function isRouted([first = '']: readonly string[]): boolean {
  return first.startsWith(slug) && readSlug(first).id === slug;
}

/**
 * Returns the settings of the tool `service:fusion` that the plugin gives: to a request whose first model is
 * `service/fusion`, and to one that has the tool. The settings of the tool itself win.
 */
export function fusionParameters(
  call: RoutedCall,
  own: JsonObject | undefined,
  known: Known,
): JsonObject | undefined {
  const isOn = !call.plugins.fusion || settingsOf(call, 'fusion') !== undefined;
  if (!isOn || (!own && !isRouted(call.preferences.models))) return undefined;
  const settings: Settings = call.plugins.fusion ?? {};
  const { analysis_models: panel, model, max_tool_calls: calls, tools } = settings;
  return {
    analysis_models: panel ?? presetPanel(settings, known),
    ...(model != null && { model }),
    ...(calls != null && { max_tool_calls: calls }),
    ...(tools && { tools }),
    ...own,
  };
}

/** Returns the panel of a preset, of models that the guardrails of the caller permit. */
function presetPanel({ preset }: Settings, { catalog, permits, rankings }: Known) {
  const models = catalog.listed.filter((model) =>
    model.endpoints.some((endpoint) => permits(model, endpoint)),
  );
  const speedOf = ({ endpoints }: Model) =>
    Math.max(0, ...endpoints.map(({ id }) => rankings.condition(id)?.tokensPerSecond?.p50 ?? 0));
  return panelOf(preset ?? presetDefault, models, speedOf);
}

interface Asked {
  readonly settings: Settings;
  readonly panel: readonly string[];
  readonly writers: readonly string[];
}

function narrowed(able: readonly Candidate[], { settings, panel, writers }: Asked): Narrowed {
  const [first, ...others] = able;
  if (!first) throw new Error('invariant: a router chooses among endpoints that can serve');
  const left = [...new Set(able.map(({ model }) => model.id))];
  return {
    candidates: [first, ...others],
    report: {
      type: 'plugin',
      name: 'fusion',
      summary: `chose ${first.model.id} to ask the panel and to write the answer`,
      data: {
        ...(settings.model == null && { preset: settings.preset ?? presetDefault }),
        analysis_models: settings.analysis_models ?? panel,
        candidates: left.map((model) => ({ model })),
        excluded: { cannot_serve: writers.length - left.length },
      },
    },
  };
}
