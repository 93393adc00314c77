import { equal } from 'node:assert/strict';
import type { Tool } from '@sluice/inference';
import { describe, test } from 'vitest';
import type { CallItem } from '../dialects/responses/write/output-item.ts';
import { isBadCall } from './bad-call.ts';

const parameters = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1, maximum: 14 } },
  required: ['city'],
  additionalProperties: false,
};
const described = { description: undefined, strict: undefined };
const tools = [
  { type: 'function', name: 'weather', parameters, ...described },
  { type: 'function', name: 'odd', parameters: { type: 'colour' }, ...described },
  { type: 'function', name: 'free', parameters: undefined, ...described },
  { type: 'custom', name: 'shell', description: undefined },
] as unknown as readonly Tool[];

const call = (name: string, text: string, isCustom = false) =>
  isBadCall({ kind: 'tool-call', name, text, isCustom } as CallItem, tools);

describe('a call of a tool is bad', () => {
  test.each([
    ['of a tool that was not offered', 'news', '{}'],
    ['with arguments that are not JSON', 'weather', '{"city":'],
    ['with arguments that are no object', 'weather', '"Rome"'],
    ['without what is required', 'weather', '{"days":3}'],
    ['without anything where something is required', 'weather', ''],
    ['with a value of another type', 'weather', '{"city":7}'],
    ['with a number that is out of bounds', 'weather', '{"city":"Rome","days":15}'],
    ['with a field that the tool does not know', 'weather', '{"city":"Rome","unit":"K"}'],
  ])('%s', (_why, name, text) => equal(call(name, text), true));

  test.each([
    ['with what the tool takes', 'weather', '{"city":"Rome","days":14}'],
    ['of a tool that takes anything', 'free', '{"a":[1]}'],
    ['of a tool that takes nothing', 'free', ''],
    ['whose schema cannot be read', 'odd', '{"a":1}'],
  ])('but not %s', (_why, name, text) => equal(call(name, text), false));

  test('but not of a custom tool, whatever it is given, nor with arguments too long to look into', () => {
    equal(call('shell', 'ls -l', true), false);
    equal(call('weather', `{"city":"${'x'.repeat(70_000)}`), false);
  });
});
