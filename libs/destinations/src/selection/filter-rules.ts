import { type Problem, problemsOf } from '@sluice/client-schemas';
import { instructionsOf } from '@sluice/content-filter/patterns';
import { type Static, Type } from 'typebox';

export const ruleFields = [
  'model',
  'provider',
  'session_id',
  'user_id',
  'api_key_name',
  'finish_reason',
  'input',
  'output',
  'total_cost',
  'total_tokens',
  'prompt_tokens',
  'completion_tokens',
] as const;
export type RuleField = (typeof ruleFields)[number];

export const ruleOperators = [
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'regex',
  'starts_with',
  'ends_with',
  'gt',
  'lt',
  'gte',
  'lte',
  'exists',
  'not_exists',
] as const;
export type RuleOperator = (typeof ruleOperators)[number];

const groupsMax = 10;
const rulesMax = 20;
const valueCharactersMax = 1_000;
/** The time of a search grows with them and with the text. */
const instructionsMax = 1_000;
const problemsMax = 20;
const path = 'filter_rules';

const closed = { additionalProperties: false } as const;

const rule = Type.Object(
  {
    field: Type.Enum(ruleFields, { type: 'string', description: 'The field that is compared.' }),
    operator: Type.Enum(ruleOperators, { type: 'string', description: 'The comparison.' }),
    value: Type.Optional(
      Type.Union(
        [
          Type.String({
            maxLength: valueCharactersMax,
            pattern: String.raw`^[^\u0000\p{Cs}]*$`,
            mustBe: `a text of at most ${valueCharactersMax} characters that can be stored`,
          }),
          Type.Number(),
        ],
        {
          mustBe: 'a text or a number',
          description: 'The value to compare with. exists and not_exists take none.',
          examples: ['sim/echo'],
        },
      ),
    ),
  },
  closed,
);

const group = Type.Object(
  {
    logic: Type.Optional(
      Type.Enum(['and', 'or'] as const, {
        type: 'string',
        description: 'Whether all rules must hold (the default), or one of them.',
      }),
    ),
    rules: Type.Array(rule, { minItems: 1, maxItems: rulesMax, description: 'The rules.' }),
  },
  closed,
);

/** The rules that a generation must pass: one of the groups must hold. Without a group, all pass. */
export const filterRules = Type.Object(
  {
    enabled: Type.Optional(
      Type.Boolean({ description: 'Whether the rules are applied: they are, by default.' }),
    ),
    groups: Type.Array(group, {
      maxItems: groupsMax,
      description: 'One of the groups must hold. Without a group, every generation passes.',
    }),
  },
  closed,
);
export type FilterRules = Static<typeof filterRules>;
export type FilterRule = Static<typeof rule>;

export const comparisons: ReadonlySet<RuleOperator> = new Set<RuleOperator>([
  'gt',
  'lt',
  'gte',
  'lte',
]);
const withoutValue: ReadonlySet<RuleOperator> = new Set<RuleOperator>(['exists', 'not_exists']);
const contentFields: ReadonlySet<RuleField> = new Set<RuleField>(['input', 'output']);

/** Lists the problems of rules, with paths that begin with `filter_rules`. */
export function filterRulesProblems(rules: unknown): readonly Problem[] {
  const problems = problemsOf(filterRules, rules, { path, max: problemsMax });
  if (problems.length > 0) return problems;
  return eachRule(rules as FilterRules).flatMap(({ rule: one, at }) => {
    const problem = valueProblem(one);
    return problem === undefined ? [] : [{ path: `${at}.value`, message: problem }];
  });
}

/** Returns the paths of rules about prompts and completions. */
export function contentRules(rules: FilterRules): readonly string[] {
  return eachRule(rules)
    .filter(({ rule: one }) => contentFields.has(one.field))
    .map(({ at }) => `${at}.field`);
}

function eachRule({ groups }: FilterRules) {
  return groups.flatMap((one, groupIndex) =>
    one.rules.map((each, index) => ({
      rule: each,
      at: `${path}.groups[${String(groupIndex)}].rules[${String(index)}]`,
    })),
  );
}

function valueProblem({ operator, value }: FilterRule): string | undefined {
  if (withoutValue.has(operator)) return value === undefined ? undefined : 'must be absent';
  if (value === undefined) return 'is required';
  if (comparisons.has(operator))
    return toNumber(value) === undefined ? 'must be a number' : undefined;
  if (operator !== 'regex') return undefined;
  return typeof value === 'string' ? patternProblem(value) : 'must be a regular expression';
}

function patternProblem(pattern: string): string | undefined {
  try {
    if (instructionsOf(pattern) <= instructionsMax) return undefined;
  } catch {
    return 'must be a regular expression of RE2';
  }
  return 'must be a smaller regular expression: its repetitions are unrolled';
}

/** Reads a number, also one that is written as a text. Returns undefined for any other text. */
export function toNumber(value: string | number): number | undefined {
  if (typeof value === 'number') return value;
  const number = value.trim() === '' ? NaN : Number(value);
  return Number.isFinite(number) ? number : undefined;
}
