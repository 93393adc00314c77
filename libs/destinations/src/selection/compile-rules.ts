import { patternTest } from '@sluice/content-filter/patterns';
import { type FilterRule, type FilterRules, type RuleField, toNumber } from './filter-rules.ts';

/** The values of a finished generation that rules compare. An absent one does not exist. */
export type RuleValues = { readonly [Name in RuleField]?: string | number | undefined };

export type RuleTest = (values: RuleValues) => boolean;

/**
 * Compiles rules once, to apply them to many generations. Rules that are null, switched off or without a group let all
 * pass. Throws for a regular expression that `filterRulesProblems` refuses.
 */
export function compileRules(rules: FilterRules | null): RuleTest {
  if (rules === null || rules.enabled === false || rules.groups.length === 0) return () => true;
  const groups = rules.groups.map(({ logic = 'and', rules: listed }) => {
    const tests = listed.map(compileRule);
    return logic === 'and'
      ? (values: RuleValues) => tests.every((test) => test(values))
      : (values: RuleValues) => tests.some((test) => test(values));
  });
  return (values) => groups.some((test) => test(values));
}

function compileRule({ field, operator, value = '' }: FilterRule): RuleTest {
  const text = String(value);
  const number = toNumber(value);
  const ofText =
    (test: (given: string) => boolean): RuleTest =>
    (values) =>
      values[field] !== undefined && test(String(values[field]));
  const ofNumber =
    (test: (given: number, limit: number) => boolean): RuleTest =>
    (values) => {
      const given = values[field];
      const compared = given === undefined ? undefined : toNumber(given);
      return compared !== undefined && number !== undefined && test(compared, number);
    };
  const equals: RuleTest = (values) => {
    const given = values[field];
    if (typeof given === 'number') return given === number;
    return given === text;
  };
  switch (operator) {
    case 'equals':
      return equals;
    case 'not_equals':
      return (values) => !equals(values);
    case 'contains':
      return ofText((given) => given.includes(text));
    case 'not_contains': {
      const contains = ofText((given) => given.includes(text));
      return (values) => !contains(values);
    }
    case 'regex': {
      const pattern = patternTest(text, { ignoresCase: false });
      return ofText((given) => pattern.isIn(given));
    }
    case 'starts_with':
      return ofText((given) => given.startsWith(text));
    case 'ends_with':
      return ofText((given) => given.endsWith(text));
    case 'gt':
      return ofNumber((given, limit) => given > limit);
    case 'lt':
      return ofNumber((given, limit) => given < limit);
    case 'gte':
      return ofNumber((given, limit) => given >= limit);
    case 'lte':
      return ofNumber((given, limit) => given <= limit);
    case 'exists':
      return (values) => values[field] !== undefined;
    case 'not_exists':
      return (values) => values[field] === undefined;
  }
}
