import { isObject } from './fields.ts';
import {
  anything,
  both,
  type Check,
  flag,
  inside,
  integer,
  listOf,
  number,
  objectOf,
  oneOf,
  type Place,
  refuse,
  type Shape,
  text,
} from './shape.ts';
import { domains, search } from './web-settings.ts';

/** The settings of a plugin beside its id. */
export interface Plugin {
  readonly check: Check;
  /** False: it has no `enabled`, naming it means wanting it. */
  readonly hasSwitch: boolean;
}

const rulesMax = 128;
const ruleCharactersMax = 200;
const patternsMax = 1_024;
const patternCharactersMax = 1_024;
const allPatternCharactersMax = 65_536;
const panelMax = 8;
const panelToolsMax = 8;
const panelCallsMax = 16;
const slug = text({ min: 1, max: 256 });
const costTiers = ['low', 'medium', 'high', 'xhigh', 'max'];

const rule: Check = (value, place) => {
  text({ min: 1, max: ruleCharactersMax })(value, place);
  if (typeof value === 'string' && /[\n\r\u2028\u2029]/.test(value))
    refuse(place, 'must not have a line break');
};

const alignmentFields: Shape = {
  'rules*': listOf(rule, { min: 1, max: rulesMax }),
  instruct: flag,
  max_retries: integer(0),
  mode: oneOf('enforce', 'audit'),
  threshold: number(0, 1),
};

/** No other key may stand beside these. */
const alignmentKeys: ReadonlySet<string> = new Set([
  'id',
  ...Object.keys(alignmentFields).map((name) => name.replace('*', '')),
]);

const noOtherKeys: Check = (value, place) => {
  for (const name of Object.keys(isObject(value) ? value : {}))
    if (!alignmentKeys.has(name)) refuse(inside(place, name), 'there is no such setting');
};

/** Patterns of models: each of them, and all of them together, are bounded. */
const patterns: Check = (value, place) => {
  listOf(text({ min: 1, max: patternCharactersMax }), { max: patternsMax })(value, place);
  refuseLong(charactersOf(value), place);
};

function charactersOf(list: unknown): number {
  if (!Array.isArray(list)) return 0;
  return list.reduce<number>((sum, each) => sum + (typeof each === 'string' ? each.length : 0), 0);
}

function refuseLong(characters: number, place: Place): void {
  if (characters > allPatternCharactersMax)
    refuse(place, `must have at most ${String(allPatternCharactersMax)} characters in total`);
}

/** Two names of one list. */
const onePool: Check = (value, place) => {
  if (!isObject(value)) return;
  const { models, allowed_models: alias } = value;
  if (!Array.isArray(models) || !Array.isArray(alias)) return;
  const at = inside(place, 'allowed_models');
  if (models.length + alias.length > patternsMax)
    refuse(at, `must have at most ${String(patternsMax)} items together with models`);
  refuseLong(charactersOf(models) + charactersOf(alias), at);
};

const autoRouter: Shape = {
  allowed_models: patterns,
  excluded_models: patterns,
  cost_tier: oneOf(...costTiers),
  cost_quality_tradeoff: integer(0, 10),
};

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;
const isPlainOrList = (value: unknown): boolean =>
  Array.isArray(value) ? value.every(isPlain) : isPlain(value);

/** Plain values, lists of such, and one level of objects of both. */
export const toolParameters: Check = (value, place) => {
  if (!isObject(value)) return refuse(place, 'must be an object');
  for (const [name, inner] of Object.entries(value))
    if (!(isPlainOrList(inner) || (isObject(inner) && Object.values(inner).every(isPlainOrList))))
      refuse(inside(place, name), 'is nested too deeply');
};

const fusion: Shape = {
  analysis_models: listOf(slug, { min: 1, max: panelMax }),
  model: slug,
  max_tool_calls: integer(1, panelCallsMax),
  preset: oneOf('general-high', 'general-budget', 'general-fast'),
  tools: listOf(
    objectOf({
      'type*': text({ min: 1 }),
      parameters: toolParameters,
    }),
    { max: panelToolsMax },
  ),
};

const webEngines = ['native', 'exa', 'firecrawl', 'parallel', 'perplexity'];

const switched = (shape: Shape = {}): Plugin => ({
  check: objectOf({ enabled: flag, ...shape }),
  hasSwitch: true,
});
const always = (check: Check): Plugin => ({ check, hasSwitch: false });

/** The plugins of the contract. None of them is built yet: they are understood, and refused by name. */
export const plugins: ReadonlyMap<unknown, Plugin> = new Map<string, Plugin>([
  ['alignment', always(both(objectOf(alignmentFields), noOtherKeys))],
  ['auto-beta-router', switched(autoRouter)],
  ['auto-router', switched({ ...autoRouter, pin_model: flag })],
  ['context-compression', switched({ engine: oneOf('middle-out') })],
  [
    'file-parser',
    switched({
      pdf: objectOf({ engine: oneOf('mistral-ocr', 'native', 'cloudflare-ai', 'pdf-text') }),
    }),
  ],
  ['fusion', switched(fusion)],
  [
    'jev-router',
    always(
      both(
        objectOf({
          cost_tier: text({ min: 1 }),
          models: patterns,
          allowed_models: patterns,
          excluded_models: patterns,
        }),
        onePool,
      ),
    ),
  ],
  ['moderation', always(anything)],
  [
    'pareto-router',
    switched({
      min_coding_score: number(0, 1),
      max_price: number(0),
      price_source: oneOf('prompt', 'weighted_avg'),
    }),
  ],
  ['response-healing', switched()],
  [
    'switchyard-router',
    always(
      objectOf({
        algorithm: oneOf('capability', 'stage', 'auto', 'random', 'composite', 'passthrough'),
      }),
    ),
  ],
  [
    'web',
    switched({
      ...search,
      engine: oneOf(...webEngines),
      search_prompt: text(),
      include_domains: domains,
      exclude_domains: domains,
    }),
  ],
  [
    'web-fetch',
    always(
      objectOf({
        max_uses: integer(1),
        max_content_tokens: integer(1),
        allowed_domains: domains,
        blocked_domains: domains,
      }),
    ),
  ],
]);
