import { field } from '@sluice/client-schemas';
import { Type, type Static } from 'typebox';
import { uuid } from '../../http/schemas/examples.ts';
import {
  closed,
  createdAt,
  flag,
  keyName as name,
  limitUsdMax,
  nullable,
  number,
  oneOf as wordOf,
  optional,
  text,
  updatedAt,
  workspaceId,
} from '../../http/schemas/fields.ts';
import { pageFields } from '../../http/schemas/page.ts';
import { pageReply, reply } from '../../http/schemas/replies.ts';

const descriptionCharactersMax = 1_000;
const slugCharactersMax = 200;
const providersMax = 200;
const modelsMax = 1_000;
const customFiltersMax = 100;
const patternCharactersMax = 100_000;
const labelCharactersMax = 100;
const builtinFiltersMax = 9;

/** Words as plain texts: the service that owns guardrails gives them so. */
const oneOf = wordOf<string[]>;

const action = oneOf(['redact', 'block', 'flag'], 'What the filter does with a match.', 'block');
const slug = oneOf(
  [
    'email',
    'phone',
    'ssn',
    'credit-card',
    'ip-address',
    'secrets',
    'person-name',
    'address',
    'regex-prompt-injection',
  ],
  'The built-in filter.',
);
const scan_scope = Type.Optional(
  oneOf(['user_only', 'all_messages'], 'What of a request is scanned.'),
);
const dataRegion = Type.Enum<string[]>(['global', 'europe', 'us'], { type: 'string' });

const slugs = (what: string, maxItems: number) =>
  nullable(
    Type.Array(Type.String({ minLength: 1, maxLength: slugCharactersMax }), {
      minItems: 1,
      maxItems,
      mustBe: `a list of 1 to ${maxItems} slugs of ${what}, or null`,
    }),
  );
const shownLabel = text('What stands in the place of a match.', '[SSN]');
const label = Type.String({
  ...shownLabel,
  maxLength: labelCharactersMax,
  mustBe: `a text of at most ${labelCharactersMax} characters`,
});
const shownPattern = text('A regular expression of the text to look for.', '[0-9]{16}');
const builtins = {
  description: 'Built-in filters, and what each does with a match.',
  examples: [[]],
};
const patterns = {
  description: 'Patterns of your own, and what each does with a match.',
  examples: [[]],
};

// Sluice chooses the labels of built-in filters. The client may send back what it was shown.
const builtinFilter = Type.Object(
  { slug, action, scan_scope, label: Type.Optional(label) },
  closed,
);
const customFilter = Type.Object(
  {
    pattern: Type.String({
      ...shownPattern,
      minLength: 1,
      maxLength: patternCharactersMax,
      mustBe: `a regular expression of 1 to ${patternCharactersMax} characters`,
    }),
    action,
    label: Type.Optional(nullable(label)),
  },
  closed,
);

const shownDescription = text('A text for people.', 'Requests of the research team');
const shownLimit = number('What may be spent in each period, in USD; null: no limit.', 100);
const providersText = 'The only providers that may serve; null: all.';
const ignoredProvidersText = 'Providers that may not serve; null: none.';
const modelsText = 'The only models that may be called; null: all.';
const ignoredModelsText = 'Models that may not be called; null: none.';
const regions = { description: 'Regions in which a provider may process a request; null: all.' };

/** The settings of a guardrail besides its name. */
const choices = {
  description: nullable(
    Type.String({
      ...shownDescription,
      maxLength: descriptionCharactersMax,
      mustBe: `a text of at most ${descriptionCharactersMax} characters, or null`,
    }),
  ),
  limit_usd: nullable(
    Type.Number({
      ...shownLimit,
      exclusiveMinimum: 0,
      maximum: limitUsdMax,
      mustBe: `an amount of USD above 0 and up to ${limitUsdMax}, or null`,
    }),
  ),
  reset_interval: nullable(
    oneOf(
      ['daily', 'weekly', 'monthly'],
      'The period after which the limit begins anew; null: never.',
      'monthly',
    ),
  ),
  include_byok_in_budgets: flag(
    'Whether spend on own credentials counts against the budgets.',
    false,
  ),
  allowed_providers: field(slugs('providers', providersMax), providersText, ['openai']),
  ignored_providers: field(slugs('providers', providersMax), ignoredProvidersText, ['openai']),
  allowed_models: field(slugs('models', modelsMax), modelsText, ['sim/echo']),
  ignored_models: field(slugs('models', modelsMax), ignoredModelsText, ['sim/slow']),
  enforce_zdr_anthropic: nullable(flag('The same, for models of Anthropic.')),
  enforce_zdr_openai: nullable(flag('The same, for models of OpenAI.')),
  enforce_zdr_google: nullable(flag('The same, for models of Google.')),
  enforce_zdr_xai: nullable(flag('The same, for models of xAI.')),
  enforce_zdr_other: nullable(flag('The same, for models of other authors.')),
  enforce_zdr: nullable(flag('Whether only endpoints without data retention may serve.')),
  enable_paid_model_training: nullable(
    flag('Whether paid models that train on prompts may serve.', false),
  ),
  enable_free_model_training: nullable(
    flag('Whether free models that train on prompts may serve.', false),
  ),
  enable_free_model_publication: nullable(
    flag('Whether free models that publish prompts may serve.', false),
  ),
  allowed_data_regions: nullable(
    Type.Array(dataRegion, {
      ...regions,
      minItems: 1,
      maxItems: 3,
      mustBe: 'regions, or null for any',
    }),
  ),
  content_filter_builtins: nullable(
    Type.Array(builtinFilter, { ...builtins, maxItems: builtinFiltersMax }),
  ),
  content_filters: nullable(Type.Array(customFilter, { ...patterns, maxItems: customFiltersMax })),
  scan_output: nullable(
    oneOf(
      ['sentence', 'end'],
      'How far content filters may hold back the output that they scan; null: it is not scanned.',
    ),
  ),
  fail_mode: nullable(
    oneOf(
      ['block', 'pass'],
      'What content filters do with a text that they could not scan; null: patterns block it, entities pass it.',
    ),
  ),
};

export const createGuardrailBody = Type.Object(
  {
    name,
    /** null: kept in no workspace. */
    workspace_id: Type.Optional(nullable(workspaceId)),
    ...optional(choices),
  },
  closed,
);
export const updateGuardrailBody = Type.Object(optional({ name, ...choices }), closed);
export type CreateGuardrailBody = Static<typeof createGuardrailBody>;
export type UpdateGuardrailBody = Static<typeof updateGuardrailBody>;

const guardrailId = text('Id of the guardrail.', uuid);
const list = nullable(Type.Array(Type.String()));
const { description: _bounded, ...settings } = choices;
/** The settings as answers show them: without the bounds of requests. */
const shownChoices = {
  ...settings,
  limit_usd: nullable(shownLimit),
  allowed_providers: field(list, providersText, ['openai']),
  ignored_providers: field(list, ignoredProvidersText, ['openai']),
  allowed_models: field(list, modelsText, ['sim/echo']),
  ignored_models: field(list, ignoredModelsText, ['sim/slow']),
  enforce_zdr: Type.Null({ description: 'The old form of the five settings before it: null.' }),
  allowed_data_regions: nullable(Type.Array(dataRegion, regions)),
  content_filter_builtins: nullable(
    Type.Array(Type.Object({ slug, action, scan_scope, label: shownLabel }), builtins),
  ),
  content_filters: nullable(
    Type.Array(
      Type.Object({ pattern: shownPattern, action, label: nullable(shownLabel) }),
      patterns,
    ),
  ),
};
export const guardrailView = Type.Object({
  id: guardrailId,
  name: text('A name for people.', 'Nightly reports'),
  description: nullable(shownDescription),
  workspace_id: nullable(text('Id of the workspace.', uuid)),
  ...shownChoices,
  created_at: createdAt,
  updated_at: nullable(updatedAt),
});
export type GuardrailView = Static<typeof guardrailView>;

export const guardrailReply = reply(guardrailView);
export const guardrailListReply = pageReply(guardrailView);

export const listGuardrailsQuery = Type.Object(
  { ...pageFields, workspace_id: Type.Optional(workspaceId) },
  closed,
);

/** Takes any id: the contract lists no 400 here, so a malformed id is not found. */
export const anyGuardrail = Type.Object({ id: guardrailId });
export const wellFormedGuardrail = Type.Object({
  id: Type.String({
    ...guardrailId,
    format: 'uuid',
    maxLength: 36,
    mustBe: 'the UUID of a guardrail',
  }),
});
