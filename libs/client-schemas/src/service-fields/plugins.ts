import { type Static, Type } from 'typebox';
import { flag, integer, listOf, number, oneOf, optional, text } from '../fields.ts';
import { limits } from './limits.ts';

const rulesMax = 128;
const ruleCharactersMax = 200;

const rule = Type.Refine(
  text({ min: 1, max: ruleCharactersMax }),
  (value) => !/[\n\r\u2028\u2029]/.test(value),
  () => 'must not have a line break',
);

/** Refused for accounts outside its beta. No account is in it yet. */
const alignment = Type.Object(
  {
    id: Type.Literal('alignment'),
    rules: listOf(rule, { min: 1, max: rulesMax }),
    instruct: optional(flag),
    max_retries: optional(integer(0)),
    mode: optional(oneOf('enforce', 'audit')),
    threshold: optional(number(0, 1)),
  },
  { additionalProperties: false },
);

/** Has the input moderated. It has no settings and no switch. */
const moderation = Type.Object({ id: Type.Literal('moderation') });

const patternsMax = 1_024;
const patterns = optional(listOf(text({ max: 1_024 }), { max: patternsMax }));
const slug = text({ min: 1, max: limits.identifierCharactersMax });
const enabled = optional(flag);

const routerSettings = {
  enabled,
  allowed_models: patterns,
  excluded_models: patterns,
  cost_tier: optional(oneOf('low', 'medium', 'high', 'xhigh', 'max')),
  cost_quality_tradeoff: optional(integer(0, 10)),
};
const fusionTool = Type.Object({ type: slug, parameters: optional(Type.Object({})) });

/** Settings are checked also where nothing runs them yet: a client learns at once what will be wrong. */
const schemas = [
  alignment,
  moderation,
  Type.Object({ id: Type.Literal('auto-beta-router'), ...routerSettings }),
  Type.Object({ id: Type.Literal('auto-router'), ...routerSettings, pin_model: optional(flag) }),
  Type.Object({
    id: Type.Literal('context-compression'),
    enabled,
    engine: optional(oneOf('middle-out')),
  }),
  Type.Object({
    id: Type.Literal('file-parser'),
    enabled,
    pdf: optional(
      Type.Object({
        engine: optional(oneOf('mistral-ocr', 'native', 'cloudflare-ai', 'pdf-text')),
      }),
    ),
  }),
  Type.Object({
    id: Type.Literal('fusion'),
    enabled,
    analysis_models: optional(listOf(slug, { min: 1, max: 8 })),
    model: optional(slug),
    max_tool_calls: optional(integer(1, 16)),
    preset: optional(oneOf('general-high', 'general-budget', 'general-fast')),
    tools: optional(listOf(fusionTool, { max: 8 })),
  }),
  Type.Object({
    id: Type.Literal('jev-router'),
    cost_tier: optional(slug),
    models: patterns,
    allowed_models: patterns,
    excluded_models: patterns,
  }),
  Type.Object({
    id: Type.Literal('pareto-router'),
    enabled,
    min_coding_score: optional(number(0, 1)),
    max_price: optional(number(0)),
    price_source: optional(oneOf('prompt', 'weighted_avg')),
  }),
  Type.Object({ id: Type.Literal('response-healing'), enabled }),
  Type.Object({
    id: Type.Literal('switchyard-router'),
    algorithm: optional(oneOf('capability', 'stage', 'auto', 'random', 'composite', 'passthrough')),
  }),
  Type.Object({
    id: Type.Literal('web'),
    enabled,
    engine: optional(oneOf('native', 'exa', 'firecrawl', 'parallel', 'perplexity')),
    max_results: optional(integer(1, 25)),
    search_prompt: optional(Type.String()),
    include_domains: patterns,
    exclude_domains: patterns,
    max_uses: optional(integer(1)),
  }),
  Type.Object({
    id: Type.Literal('web-fetch'),
    max_uses: optional(integer(1)),
    max_content_tokens: optional(integer(1)),
    allowed_domains: patterns,
    blocked_domains: patterns,
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
