import { type Static, Type } from 'typebox';
import { field, flag, integer, listOf, number, oneOf, optional, text } from '../fields.ts';
import { limits } from './limits.ts';

const rulesMax = 128;
const ruleCharactersMax = 200;

const rule = Type.Refine(
  text({ min: 1, max: ruleCharactersMax }),
  (value) => !/[\n\r\u2028\u2029]/.test(value),
  () => 'must not have a line break',
);

const plugin = <const Id extends string>(id: Id) =>
  Type.Literal(id, { description: 'The plugin.' });

/** Refused for accounts outside its beta. No account is in it yet. */
const alignment = Type.Object(
  {
    id: plugin('alignment'),
    rules: field(listOf(rule, { min: 1, max: rulesMax }), 'Rules of the answer.', ['Be kind.']),
    instruct: optional(flag, 'Whether the model reads the rules.'),
    max_retries: optional(integer(0), 'Number of further attempts.', 1),
    mode: optional(oneOf('enforce', 'audit'), 'Whether broken rules are mended or only reported.'),
    threshold: optional(number(0, 1), 'The score that breaks a rule, 0 to 1.', 0.5),
  },
  { additionalProperties: false },
);

/** Has the input moderated. It has no settings and no switch. */
const moderation = Type.Object({ id: plugin('moderation') });

const patternsMax = 1_024;
const patterns = optional(listOf(text({ max: 1_024 }), { max: patternsMax }));
const slug = text({ min: 1, max: limits.identifierCharactersMax });
const enabled = optional(flag, 'Whether it is switched on.', false);
const allowed_models = field(patterns, 'Patterns of the only models that are chosen.', ['sim/*']);
const excluded_models = field(patterns, 'Patterns of models that are not chosen.', ['sim/*']);
const max_uses = optional(integer(1), 'Number of times that it may be used in a request.', 3);
const engine = <const Words extends string[]>(...words: Words) =>
  optional(oneOf(...words), 'What does the work.');

const routerSettings = {
  enabled,
  allowed_models,
  excluded_models,
  cost_tier: optional(
    oneOf('low', 'medium', 'high', 'xhigh', 'max'),
    'The band of costs from which a model is chosen.',
  ),
  cost_quality_tradeoff: optional(
    integer(0, 10),
    'The older form of `cost_tier`: higher is cheaper.',
    9,
  ),
};
const fusionTool = Type.Object({
  type: field(slug, 'The kind of the tool.', 'service:web_search'),
  parameters: optional(Type.Object({}), 'Settings of the tool.'),
});
/** Settings are checked also where nothing runs them yet: a client learns at once what will be wrong. */
const schemas = [
  alignment,
  moderation,
  Type.Object({ id: plugin('auto-beta-router'), ...routerSettings }),
  Type.Object({
    id: plugin('auto-router'),
    ...routerSettings,
    pin_model: optional(flag, 'Whether later turns keep the model of the last answer.', false),
  }),
  Type.Object({
    id: plugin('context-compression'),
    enabled,
    engine: engine('middle-out'),
  }),
  Type.Object({
    id: plugin('file-parser'),
    enabled,
    pdf: optional(
      Type.Object({
        engine: engine('mistral-ocr', 'native', 'cloudflare-ai', 'pdf-text'),
      }),
      'How files of the format PDF are read.',
    ),
  }),
  Type.Object({
    id: plugin('fusion'),
    enabled,
    analysis_models: optional(listOf(slug, { min: 1, max: 8 }), 'The models of the panel.', [
      'sim/echo',
    ]),
    model: optional(slug, 'The model that writes the answer.', 'sim/echo'),
    max_tool_calls: optional(integer(1, 16), 'Number of tool calls that the answer may have.', 4),
    preset: optional(
      oneOf('general-high', 'general-budget', 'general-fast'),
      'A set of models and settings.',
    ),
    tools: optional(listOf(fusionTool, { max: 8 }), 'Tools that the model may call.', []),
  }),
  Type.Object({
    id: plugin('jev-router'),
    cost_tier: optional(slug, 'The band of costs from which a model is chosen.', 'low'),
    models: field(patterns, 'Models that are chosen from.', ['sim/echo']),
    allowed_models,
    excluded_models,
  }),
  Type.Object({
    id: plugin('pareto-router'),
    enabled,
    min_coding_score: optional(number(0, 1), 'The least score of a model, from 0 to 1.', 0.5),
    max_price: optional(number(0), 'The highest price of a million tokens of input, in USD.', 5),
    price_source: optional(
      oneOf('prompt', 'weighted_avg'),
      'The price that the highest one is compared with.',
    ),
  }),
  Type.Object({
    id: plugin('response-healing'),
    enabled,
  }),
  Type.Object({
    id: plugin('switchyard-router'),
    algorithm: optional(
      oneOf('capability', 'stage', 'auto', 'random', 'composite', 'passthrough'),
      'How the router chooses between its two candidates.',
    ),
  }),
  Type.Object({
    id: plugin('web'),
    enabled,
    engine: engine('native', 'exa', 'firecrawl', 'parallel', 'perplexity'),
    max_results: optional(integer(1, 25), 'Number of results of a search.', 5),
    search_prompt: optional(
      Type.String(),
      'The text before the results of a search.',
      'Use these results.',
    ),
    include_domains: field(patterns, 'The only domains of a search.', ['example.com']),
    exclude_domains: field(patterns, 'Domains that are left out of a search.', ['example.com']),
    max_uses,
  }),
  Type.Object({
    id: plugin('web-fetch'),
    max_uses,
    max_content_tokens: optional(integer(1), 'Number of tokens of a page that are kept.', 1000),
    allowed_domains: field(patterns, 'The only domains that may be fetched.', ['example.com']),
    blocked_domains: field(patterns, 'Domains that may not be fetched.', ['example.com']),
  }),
] as const;

export const plugins = listOf(Type.Union([...schemas], { mustBe: 'a plugin' }), {
  max: limits.pluginsMax,
});
export type PluginBody = Static<typeof plugins>[number];

const switched: ReadonlySet<string> = new Set(
  schemas.flatMap(({ properties }) => ('enabled' in properties ? [properties.id.const] : [])),
);

/** Returns false for a plugin that `enabled: false` switches off. Plugins without this setting are always on. */
export function isPluginOn(plugin: PluginBody): boolean {
  return !(switched.has(plugin.id) && 'enabled' in plugin && plugin.enabled === false);
}
