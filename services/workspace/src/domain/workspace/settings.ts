import { pluginDefaultProblems } from '@sluice/client-schemas/plugins';
import { type Issue, nameIssues } from '@sluice/errors';
import type { ProviderSort, WorkspaceSettings } from './events.ts';

const nameCharactersMax = 100;
const slugLengthMax = 50;
export const descriptionCharactersMax = 500;
const modelLengthMax = 256;
const samplingRateMin = 0.0001;
const apiKeyIdsMax = 1_000;
/** Exceeds the numeric id of each key: it has 48 bits. */
const apiKeyIdEnd = 2 ** 48;
const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const uuidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const modelPattern = /^[!-~]+$/;
const providerSorts: readonly string[] = [
  'price',
  'throughput',
  'latency',
  'exacto',
] satisfies ProviderSort[];
const serverTools = [
  'service:advisor',
  'service:apply_patch',
  'service:bash',
  'service:datetime',
  'service:fusion',
  'service:image_generation',
  'service:experimental__search_models',
  'service:shell',
  'service:subagent',
  'service:tool_search',
  'service:web_fetch',
  'service:web_search',
];

/** The settings of a workspace unless the request names others. */
export const defaultSettings: Omit<WorkspaceSettings, 'name' | 'slug'> = {
  description: null,
  defaultTextModel: null,
  defaultImageModel: null,
  defaultProviderSort: null,
  isObservabilityIoLoggingEnabled: false,
  ioLoggingSamplingRate: 1,
  ioLoggingApiKeyIds: null,
  isObservabilityBroadcastEnabled: false,
  isDataDiscountLoggingEnabled: false,
  disabledServerTools: null,
  defaultPlugins: null,
};

/** Everything that is wrong with the given settings, under their public names; absent ones pass. */
export function settingsIssues(settings: Partial<WorkspaceSettings>): readonly Issue[] {
  return [
    ...textIssues(settings),
    ...choiceIssues(settings),
    ...loggingIssues(settings),
    ...pluginIssues(settings),
  ];
}

/** A list that names nothing says the same as none. */
export function normalised<Settings extends Partial<WorkspaceSettings>>(
  settings: Settings,
): Settings {
  const { disabledServerTools: tools, defaultPlugins: plugins } = settings;
  return {
    ...settings,
    ...(tools?.length === 0 && { disabledServerTools: null }),
    ...(plugins?.length === 0 && { defaultPlugins: null }),
  };
}

export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

/** A workspace is named by its id or its slug: the two must not be confused. */
export function isSlug(text: string): boolean {
  return text.length <= slugLengthMax && slugPattern.test(text) && !isUuid(text);
}

function textIssues({ name, slug, description }: Partial<WorkspaceSettings>): readonly Issue[] {
  const issues: Issue[] = [];
  if (name !== undefined) issues.push(...nameIssues('name', name, nameCharactersMax));
  if (slug !== undefined && !isSlug(slug))
    issues.push({
      path: 'slug',
      message: `must be 1 to ${slugLengthMax} of a-z, 0-9 and single -`,
    });
  if (typeof description === 'string' && !isDescription(description))
    issues.push({
      path: 'description',
      message: `must have at most ${descriptionCharactersMax} characters, or be null`,
    });
  return issues;
}

/** Lines are allowed, what cannot be written is not. */
export function isDescription(text: string): boolean {
  const unwritable = /[^\P{Cc}\t\n\r]|\p{Cs}/u;
  return (
    text.length <= 2 * descriptionCharactersMax &&
    Array.from(text).length <= descriptionCharactersMax &&
    !unwritable.test(text)
  );
}

function choiceIssues(settings: Partial<WorkspaceSettings>): readonly Issue[] {
  const { defaultTextModel, defaultImageModel, defaultProviderSort, disabledServerTools } =
    settings;
  const issues: Issue[] = [];
  const refuse = (path: string, message: string) => issues.push({ path, message });
  if (!isModelOrNone(defaultTextModel))
    refuse('default_text_model', 'must be the slug of a model, or null');
  if (!isModelOrNone(defaultImageModel))
    refuse('default_image_model', 'must be the slug of a model, or null');
  if (typeof defaultProviderSort === 'string' && !providerSorts.includes(defaultProviderSort))
    refuse('default_provider_sort', `must be one of ${providerSorts.join(', ')}, or null`);
  const tools = disabledServerTools ?? [];
  if (!tools.every((tool) => serverTools.includes(tool)) || hasRepeats(tools))
    refuse('disabled_server_tools', `must name each at most once of ${serverTools.join(', ')}`);
  return issues;
}

function loggingIssues({
  ioLoggingSamplingRate: rate,
  ioLoggingApiKeyIds,
}: Partial<WorkspaceSettings>): readonly Issue[] {
  const issues: Issue[] = [];
  if (rate !== undefined && !(rate >= samplingRateMin && rate <= 1))
    issues.push({
      path: 'io_logging_sampling_rate',
      message: `must be between ${samplingRateMin} and 1`,
    });
  const ids = ioLoggingApiKeyIds ?? [];
  const areIds = ids.every((id) => Number.isInteger(id) && id >= 0 && id < apiKeyIdEnd);
  if (ids.length > apiKeyIdsMax || !areIds || hasRepeats(ids))
    issues.push({
      path: 'io_logging_api_key_ids',
      message: `must be at most ${apiKeyIdsMax} different numeric ids of keys, or null`,
    });
  return issues;
}

function pluginIssues({ defaultPlugins }: Partial<WorkspaceSettings>): readonly Issue[] {
  // The routes of accounts name a place in a list by a dot.
  return pluginDefaultProblems(defaultPlugins ?? [], 'default_plugins').map(
    ({ path, message }) => ({ path: path.replaceAll(/\[(\d+)\]/g, '.$1'), message }),
  );
}

function isModelOrNone(model: string | null | undefined): boolean {
  return typeof model !== 'string' || (model.length <= modelLengthMax && modelPattern.test(model));
}

function hasRepeats(values: readonly unknown[]): boolean {
  return new Set(values).size < values.length;
}
