import { agentTools, innerReasoning } from './agent-tools.ts';
import { isObject } from './fields.ts';
import { imageSetting } from './image-setting.ts';
import { sandboxTools } from './sandbox-tools.ts';
import {
  both,
  type Check,
  flag,
  integer,
  listOf,
  number,
  objectOf,
  oneOf,
  refuse,
  text,
  inside,
} from './shape.ts';
import { domains, location, oneListOfDomains, previewLocation, search } from './web-settings.ts';

const charactersMax = 100_000;
const foundModelsMax = 20;
const anyEngine = oneOf('auto', 'native', 'exa', 'parallel', 'firecrawl', 'perplexity');
const contextSize = oneOf('low', 'medium', 'high');

/** Settings are in `parameters`. */
const withParameters = (check: Check): Check => objectOf({ parameters: check });

const timezone: Check = (value, place) => {
  text({ min: 1 })(value, place);
  if (typeof value === 'string' && !isTimezone(value))
    refuse(place, 'must be the name of a time zone such as Europe/Berlin');
};

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const webSearch = withParameters(
  both(
    objectOf({
      ...search,
      engine: anyEngine,
      max_total_results: integer(1),
      max_characters: integer(1, charactersMax),
      search_context_size: contextSize,
      allowed_domains: domains,
      excluded_domains: domains,
    }),
    oneListOfDomains('allowed_domains', 'excluded_domains'),
  ),
);

/** The shorthands: the same settings, on the tool itself. */
function shorthand(user: Check): Check {
  return objectOf({
    ...search,
    engine: anyEngine,
    search_context_size: contextSize,
    user_location: user,
    filters: objectOf({
      allowed_domains: domains,
      blocked_domains: domains,
      excluded_domains: domains,
    }),
  });
}

/** `filters` of a shorthand, with the engine that stands beside them. */
const oneListInFilters: Check = (value, place) => {
  if (!isObject(value) || !isObject(value['filters'])) return;
  const filters = { ...value['filters'], engine: value['engine'] };
  const at = inside(place, 'filters');
  for (const excluded of ['blocked_domains', 'excluded_domains'])
    oneListOfDomains('allowed_domains', excluded)(filters, at);
};

const webFetch = withParameters(
  objectOf({
    engine: oneOf('auto', 'native', 'service', 'exa', 'parallel', 'firecrawl'),
    max_uses: integer(1),
    max_content_tokens: integer(1),
    allowed_domains: domains,
    blocked_domains: domains,
  }),
);

const toolSearch = both(
  withParameters(objectOf({ max_results: integer(1) })),
  objectOf({ defer_loading: flag }),
);
const searchModels = withParameters(objectOf({ max_results: integer(1, foundModelsMax) }));

const imageGeneration = withParameters((value, place) => {
  if (!isObject(value)) return refuse(place, 'must be an object');
  for (const [name, setting] of Object.entries(value))
    if (name === 'model') text({ min: 1 })(setting, inside(place, name));
    else if (setting !== null) imageSetting(setting, inside(place, name));
});

const panelMax = 8;
const panelToolsMax = 8;
const panelCallsMax = 16;

const fusion = withParameters(
  objectOf({
    analysis_models: listOf(text({ min: 1 }), { min: 1, max: panelMax }),
    model: text({ min: 1 }),
    max_tool_calls: integer(1, panelCallsMax),
    max_completion_tokens: integer(1),
    reasoning: innerReasoning,
    temperature: number(0, 2),
    tools: listOf(objectOf({ 'type*': text({ min: 1 }), parameters: objectOf({}) }), {
      max: panelToolsMax,
    }),
    cache_control: objectOf({ 'type*': oneOf('ephemeral'), ttl: oneOf('5m', '1h') }),
  }),
);

const anySearch = both(shorthand(location), oneListInFilters);
const previewSearch = both(shorthand(previewLocation), oneListInFilters);

/** The tools that the service runs itself. None of them is built yet: they are understood, and refused by name. */
export const serverTools: ReadonlyMap<unknown, Check> = new Map<string, Check>([
  ['web_search', anySearch],
  ['web_search_2025_08_26', anySearch],
  ['web_search_preview', previewSearch],
  ['web_search_preview_2025_03_11', previewSearch],
  ['tool_search', toolSearch],
  ['service:tool_search', toolSearch],
  ['service:web_search', webSearch],
  ['service:web_fetch', webFetch],
  ['service:datetime', withParameters(objectOf({ timezone }))],
  ['service:experimental__search_models', searchModels],
  ['service:search_models', searchModels],
  ['service:files', withParameters(objectOf({}))],
  ['service:image_generation', imageGeneration],
  ['service:fusion', fusion],
  ...agentTools,
  ...sandboxTools,
]);
