import { Type, type Static, type TSchema } from 'typebox';
import { closed, limitUsdMax, nullable, workspaceId } from '../../http/schemas/fields.ts';
import { pageFields } from '../../http/schemas/page.ts';

const nameCharactersMax = 200;
const descriptionCharactersMax = 1_000;
const slugCharactersMax = 200;
const providersMax = 200;
const modelsMax = 1_000;
const customFiltersMax = 100;
const patternCharactersMax = 100_000;
const labelCharactersMax = 100;
const assigneesMax = 100;
const userIdLengthMax = 128;

const enumOf = (values: readonly string[]) => Type.Enum([...values], { type: 'string' });
const action = enumOf(['redact', 'block', 'flag']);
const builtinSlug = enumOf([
  'email',
  'phone',
  'ssn',
  'credit-card',
  'ip-address',
  'secrets',
  'person-name',
  'address',
  'regex-prompt-injection',
]);
const resetInterval = enumOf(['daily', 'weekly', 'monthly']);
const dataRegion = enumOf(['global', 'europe', 'us']);
const scanOutput = enumOf(['sentence', 'end']);
const failMode = enumOf(['block', 'pass']);
const builtinFiltersMax = 9;

const flag = nullable(Type.Boolean());
const slugs = (what: string, maxItems: number) =>
  nullable(
    Type.Array(Type.String({ minLength: 1, maxLength: slugCharactersMax }), {
      minItems: 1,
      maxItems,
      mustBe: `a list of 1 to ${maxItems} slugs of ${what}, or null`,
    }),
  );
const label = (maxLength: number) =>
  Type.String({ maxLength, mustBe: `a text of at most ${maxLength} characters` });

// Sluice chooses the labels of built-in filters. The client may send back what it was shown.
const builtinFilter = Type.Object(
  {
    slug: builtinSlug,
    action,
    scan_scope: Type.Optional(enumOf(['user_only', 'all_messages'])),
    label: Type.Optional(label(labelCharactersMax)),
  },
  closed,
);
const customFilter = Type.Object(
  {
    pattern: Type.String({
      minLength: 1,
      maxLength: patternCharactersMax,
      mustBe: `a regular expression of 1 to ${patternCharactersMax} characters`,
    }),
    action,
    label: Type.Optional(nullable(label(labelCharactersMax))),
  },
  closed,
);

const description = nullable(
  Type.String({
    maxLength: descriptionCharactersMax,
    mustBe: `a text of at most ${descriptionCharactersMax} characters, or null`,
  }),
);
const name = Type.String({
  minLength: 1,
  maxLength: nameCharactersMax,
  pattern: String.raw`^[^\p{Cc}\p{Cs}]*$`,
  mustBe: `a text of 1 to ${nameCharactersMax} characters without control characters`,
});
const limitUsd = nullable(
  Type.Number({
    exclusiveMinimum: 0,
    maximum: limitUsdMax,
    mustBe: `an amount of USD above 0 and up to ${limitUsdMax}, or null`,
  }),
);

/** The settings of a guardrail besides its name. */
const choices = {
  description,
  limit_usd: limitUsd,
  reset_interval: nullable(resetInterval),
  include_byok_in_budgets: Type.Boolean(),
  allowed_providers: slugs('providers', providersMax),
  ignored_providers: slugs('providers', providersMax),
  allowed_models: slugs('models', modelsMax),
  ignored_models: slugs('models', modelsMax),
  enforce_zdr_anthropic: flag,
  enforce_zdr_openai: flag,
  enforce_zdr_google: flag,
  enforce_zdr_xai: flag,
  enforce_zdr_other: flag,
  enforce_zdr: flag,
  enable_paid_model_training: flag,
  enable_free_model_training: flag,
  enable_free_model_publication: flag,
  allowed_data_regions: nullable(
    Type.Array(dataRegion, { minItems: 1, maxItems: 3, mustBe: 'regions, or null for any' }),
  ),
  content_filter_builtins: nullable(Type.Array(builtinFilter, { maxItems: builtinFiltersMax })),
  content_filters: nullable(Type.Array(customFilter, { maxItems: customFiltersMax })),
  scan_output: nullable(scanOutput),
  fail_mode: nullable(failMode),
};

const optional = <Fields extends Record<string, TSchema>>(fields: Fields) =>
  Type.Partial(Type.Object(fields)).properties;

export const createGuardrailBody = Type.Object(
  {
    name,
    /** null: kept in no workspace. */
    workspace_id: Type.Optional(nullable(workspaceId)),
    ...optional(choices),
  },
  closed,
);
export const updateGuardrailBody = Type.Object(
  { name: Type.Optional(name), ...optional(choices) },
  closed,
);
export type CreateGuardrailBody = Static<typeof createGuardrailBody>;
export type UpdateGuardrailBody = Static<typeof updateGuardrailBody>;

const text = Type.String();
const list = nullable(Type.Array(text));
export const guardrailView = Type.Object({
  id: text,
  name: text,
  description: nullable(text),
  workspace_id: nullable(text),
  limit_usd: nullable(Type.Number()),
  reset_interval: nullable(resetInterval),
  include_byok_in_budgets: Type.Boolean(),
  allowed_providers: list,
  ignored_providers: list,
  allowed_models: list,
  ignored_models: list,
  enforce_zdr_anthropic: flag,
  enforce_zdr_openai: flag,
  enforce_zdr_google: flag,
  enforce_zdr_xai: flag,
  enforce_zdr_other: flag,
  enforce_zdr: Type.Null(),
  enable_paid_model_training: flag,
  enable_free_model_training: flag,
  enable_free_model_publication: flag,
  allowed_data_regions: nullable(Type.Array(dataRegion)),
  content_filter_builtins: nullable(
    Type.Array(
      Type.Object({
        slug: builtinSlug,
        action,
        scan_scope: Type.Optional(enumOf(['user_only', 'all_messages'])),
        label: text,
      }),
    ),
  ),
  content_filters: nullable(
    Type.Array(Type.Object({ pattern: text, action, label: nullable(text) })),
  ),
  scan_output: nullable(scanOutput),
  fail_mode: nullable(failMode),
  created_at: text,
  updated_at: nullable(text),
});
export type GuardrailView = Static<typeof guardrailView>;

export const guardrailReply = Type.Object({ data: guardrailView });
export const guardrailListReply = Type.Object({
  data: Type.Array(guardrailView),
  total_count: Type.Integer(),
});
const testCharactersMax = 100_000;
export const testGuardrailBody = Type.Object(
  {
    text: Type.String({
      minLength: 1,
      maxLength: testCharactersMax,
      mustBe: `a text of 1 to ${testCharactersMax} characters`,
    }),
    role: Type.Optional(enumOf(['user', 'assistant', 'system', 'developer', 'tool'])),
  },
  closed,
);
export const guardrailTestView = Type.Object({
  action: enumOf(['passed', 'flagged', 'redacted', 'blocked']),
  detections: Type.Array(
    Type.Object({
      filter: text,
      label: text,
      action: text,
      pattern: text,
      start: Type.Integer(),
      end: Type.Integer(),
    }),
  ),
  detections_omitted: Type.Integer(),
  redacted_text: text,
  timed_out: Type.Boolean(),
});
export type GuardrailTestView = Static<typeof guardrailTestView>;
export const guardrailTestReply = Type.Object({ data: guardrailTestView });
const phrasesMax = 200;
const phraseCharactersMax = 1_000;
export const allowedPhrasesBody = Type.Object(
  {
    phrases: Type.Array(
      Type.String({
        minLength: 1,
        maxLength: phraseCharactersMax,
        mustBe: `a text of 1 to ${phraseCharactersMax} bytes`,
      }),
      { maxItems: phrasesMax, mustBe: `at most ${phrasesMax} phrases` },
    ),
  },
  closed,
);
export const allowedPhrasesView = Type.Object({ phrases: Type.Array(text) });
export const allowedPhrasesReply = Type.Object({ data: allowedPhrasesView });
export const guardrailDeletedReply = Type.Object({ deleted: Type.Boolean() });
export const listGuardrailsQuery = Type.Object(
  { ...pageFields, workspace_id: Type.Optional(workspaceId) },
  closed,
);
export const listAssignmentsQuery = Type.Object(pageFields, closed);

/** Takes any id: the contract lists no 400 here, so a malformed id is not found. */
export const anyGuardrail = Type.Object({ id: Type.String() });
export const wellFormedGuardrail = Type.Object({
  id: Type.String({ format: 'uuid', maxLength: 36, mustBe: 'the UUID of a guardrail' }),
});

export const keyHashesBody = Type.Object(
  {
    key_hashes: Type.Array(Type.String({ minLength: 1, maxLength: userIdLengthMax }), {
      minItems: 1,
      maxItems: assigneesMax,
      mustBe: `1 to ${assigneesMax} hashes of keys`,
    }),
  },
  closed,
);
export const memberUserIdsBody = Type.Object(
  {
    member_user_ids: Type.Array(Type.String({ minLength: 1, maxLength: userIdLengthMax }), {
      minItems: 1,
      maxItems: assigneesMax,
      mustBe: `1 to ${assigneesMax} ids of users`,
    }),
  },
  closed,
);
export const assignedReply = Type.Object({ assigned_count: Type.Integer() });
export const unassignedReply = Type.Object({ unassigned_count: Type.Integer() });

export const keyAssignmentView = Type.Object({
  id: text,
  guardrail_id: text,
  key_hash: text,
  key_name: text,
  key_label: text,
  assigned_by: nullable(text),
  created_at: text,
});
export const memberAssignmentView = Type.Object({
  id: text,
  guardrail_id: text,
  user_id: text,
  organization_id: text,
  assigned_by: nullable(text),
  created_at: text,
});
export const keyAssignmentListReply = Type.Object({
  data: Type.Array(keyAssignmentView),
  total_count: Type.Integer(),
});
export const memberAssignmentListReply = Type.Object({
  data: Type.Array(memberAssignmentView),
  total_count: Type.Integer(),
});
export type KeyAssignmentView = Static<typeof keyAssignmentView>;
export type MemberAssignmentView = Static<typeof memberAssignmentView>;
