import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { compileRules, type RuleValues } from './compile-rules.ts';
import {
  contentRules,
  type FilterRule,
  type FilterRules,
  filterRulesProblems,
  ruleFields,
  ruleOperators,
} from './filter-rules.ts';

const values: RuleValues = {
  model: 'sim/echo',
  provider: 'sim-a',
  session_id: undefined,
  user_id: 'user_1',
  api_key_name: '2024',
  finish_reason: 'stop',
  input: 'Hello world',
  output: 'HELLO',
  total_cost: 0.25,
  total_tokens: 30,
  prompt_tokens: 10,
  completion_tokens: 20,
};
const passes = (...rules: FilterRule[]) => compileRules({ groups: [{ rules }] })(values);

describe('a rule', () => {
  test.each<[...rule: [FilterRule['field'], FilterRule['operator'], (string | number)?], boolean]>([
    ['model', 'equals', 'sim/echo', true],
    ['model', 'equals', 'SIM/echo', false],
    ['total_tokens', 'equals', 30, true],
    ['total_tokens', 'equals', '30', true],
    ['api_key_name', 'equals', 2024, true],
    ['model', 'not_equals', 'x', true],
    ['model', 'not_equals', 'sim/echo', false],
    ['session_id', 'equals', 'x', false],
    ['session_id', 'not_equals', 'x', true],
    ['input', 'contains', 'lo wo', true],
    ['input', 'not_contains', 'lo wo', false],
    ['session_id', 'not_contains', 'x', true],
    ['input', 'regex', '^Hello\\s\\w+$', true],
    ['output', 'regex', 'hello', false],
    ['output', 'regex', '(?i)hello', true],
    ['session_id', 'regex', '.*', false],
    ['model', 'starts_with', 'sim/', true],
    ['model', 'ends_with', 'echo', true],
    ['model', 'ends_with', 'sim', false],
    ['total_cost', 'gt', 0.2, true],
    ['total_cost', 'gt', 0.25, false],
    ['total_cost', 'gte', '0.25', true],
    ['prompt_tokens', 'lt', 11, true],
    ['prompt_tokens', 'lte', 9, false],
    ['api_key_name', 'gt', 2023, true],
    ['model', 'gt', 0, false],
    ['session_id', 'lt', 5, false],
    ['user_id', 'exists', undefined, true],
    ['session_id', 'exists', undefined, false],
    ['session_id', 'not_exists', undefined, true],
  ])('%s %s %s: %s', (field, operator, value, expected) => {
    const rule: FilterRule = { field, operator, ...(value !== undefined && { value }) };
    deepEqual(filterRulesProblems({ groups: [{ rules: [rule] }] }), []);
    equal(passes(rule), expected);
  });

  test('may have each operator at each field', () => {
    for (const field of ruleFields)
      for (const operator of ruleOperators) {
        const value = operator === 'exists' || operator === 'not_exists' ? {} : { value: '1' };
        const rules = { groups: [{ rules: [{ field, operator, ...value }] }] };
        deepEqual(filterRulesProblems(rules), []);
        compileRules(rules)(values);
      }
  });
});

describe('groups', () => {
  const yes: FilterRule = { field: 'model', operator: 'exists' };
  const no: FilterRule = { field: 'model', operator: 'not_exists' };

  test.each<[rules: FilterRules | null, expected: boolean]>([
    [null, true],
    [{ groups: [] }, true],
    [{ enabled: false, groups: [{ rules: [no] }] }, true],
    [{ groups: [{ rules: [yes, no] }] }, false],
    [{ groups: [{ logic: 'or', rules: [no, yes] }] }, true],
    [{ groups: [{ rules: [no] }, { rules: [yes] }] }, true],
    [{ groups: [{ logic: 'or', rules: [no] }, { rules: [yes, no] }] }, false],
  ])('%j pass: %s', (rules, expected) => equal(compileRules(rules)(values), expected));
});

describe('rules are refused', () => {
  const at = 'filter_rules.groups[0].rules[0]';
  const rule = (given: object) => ({ groups: [{ rules: [given] }] });

  test.each<[rules: unknown, path: string]>([
    [7, 'filter_rules'],
    [{}, 'filter_rules.groups'],
    [{ groups: [{}] }, 'filter_rules.groups[0].rules'],
    [{ groups: [{ rules: [] }] }, 'filter_rules.groups[0].rules'],
    [
      { groups: [{ logic: 'xor', rules: [{ field: 'model', operator: 'exists' }] }] },
      'filter_rules.groups[0].logic',
    ],
    [
      {
        groups: Array.from({ length: 11 }, () => ({
          rules: [{ field: 'model', operator: 'exists' }],
        })),
      },
      'filter_rules.groups',
    ],
    [rule({ field: 'color', operator: 'exists' }), `${at}.field`],
    [rule({ field: 'model', operator: 'like', value: 'x' }), `${at}.operator`],
    [rule({ field: 'model', operator: 'equals' }), `${at}.value`],
    [rule({ field: 'model', operator: 'equals', value: true }), `${at}.value`],
    [rule({ field: 'model', operator: 'equals', value: 'a\u0000' }), `${at}.value`],
    [rule({ field: 'model', operator: 'equals', value: 'x'.repeat(1_001) }), `${at}.value`],
    [rule({ field: 'model', operator: 'exists', value: 'x' }), `${at}.value`],
    [rule({ field: 'total_cost', operator: 'gt', value: 'much' }), `${at}.value`],
    [rule({ field: 'total_cost', operator: 'gt', value: '' }), `${at}.value`],
    [rule({ field: 'model', operator: 'regex', value: 7 }), `${at}.value`],
    [rule({ field: 'model', operator: 'regex', value: '(' }), `${at}.value`],
    [rule({ field: 'model', operator: 'regex', value: '(a)\\1' }), `${at}.value`],
    [rule({ field: 'model', operator: 'regex', value: '(?:a{500}){3}' }), `${at}.value`],
    [rule({ field: 'model', operator: 'exists', other: 1 }), `${at}.other`],
  ])('%j', (rules, path) => {
    deepEqual(
      filterRulesProblems(rules).map((problem) => problem.path),
      [path],
    );
  });

  test('tell which of them are about contents', () => {
    deepEqual(contentRules(rule({ field: 'model', operator: 'exists' }) as FilterRules), []);
    deepEqual(contentRules(rule({ field: 'output', operator: 'exists' }) as FilterRules), [
      `${at}.field`,
    ]);
  });
});
