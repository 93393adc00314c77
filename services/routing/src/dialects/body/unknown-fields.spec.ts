import { equal, ok } from 'node:assert/strict';
import { chatBody, knownFieldsOf, messagesBody, responsesBody } from '@sluice/client-schemas';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { unknownFieldsWarning } from './unknown-fields.ts';

const known = knownFieldsOf(responsesBody, ['input']);
const names = Object.keys(responsesBody.properties);

const warned = (...names: readonly string[]) =>
  unknownFieldsWarning(Object.fromEntries(names.map((name) => [name, 1])), known);

describe('a field that has no effect', () => {
  test.each([
    ['max_ouput_tokens', 'max_output_tokens'],
    ['max_output_token', 'max_output_tokens'],
    ['maxoutput_tokens', 'max_output_tokens'],
    ['temprature', 'temperature'],
    ['tempreature', 'temperature'],
    ['instruction', 'instructions'],
    ['tool', 'tools'],
    ['streem', 'stream'],
    ['resoning', 'reasoning'],
  ])('is named, with the one that may be meant: %s', (name, meant) => {
    equal(warned('model', name), `unknown field ${name} (did you mean ${meant}?)`);
  });

  test.each(['stream_options', 'seed', 'x', 'messages', 'max_tokens', 'response_format'])(
    'is named alone where none is near: %s',
    (name) => equal(warned(name), `unknown field ${name}`),
  );

  test('is not one that the request has a use for', () => {
    ok(names.length > 30, 'the fields are found');
    equal(warned(...names), undefined);
    equal(warned(), undefined);
  });

  const ofChat = knownFieldsOf(chatBody, ['messages']);
  const ofMessages = knownFieldsOf(messagesBody, ['messages', 'system']);
  const named = { type: 'function', function: { name: 'f', parameters: {} } };
  test.each<[string, object, typeof known, string | undefined]>([
    [
      'an option',
      { reasoning: { efort: 'low' } },
      known,
      'unknown field reasoning.efort (did you mean effort?)',
    ],
    [
      'a tool',
      { tools: [named, { ...named, function: { ...named.function, paramters: {} } }] },
      ofChat,
      'unknown field tools[1].function.paramters (did you mean parameters?)',
    ],
    [
      'a form of the answer',
      {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'a', schema: { x: 1 } },
          schema: {},
        },
      },
      ofChat,
      'unknown field response_format.schema',
    ],
    [
      'a form of the answer that has it',
      { response_format: { type: 'json_object', schema: { anything: { at: 'all' } } } },
      ofChat,
      undefined,
    ],
    [
      'a tool of the client at Anthropic',
      { tools: [{ name: 'f', input_schema: { x: 1 }, input_exmples: [] }] },
      ofMessages,
      'unknown field tools[0].input_exmples (did you mean input_examples?)',
    ],
    ['a tool that a provider knows', { tools: [{ type: 'x_1', any: 1 }] }, ofMessages, undefined],
    [
      'thoughts',
      { thinking: { type: 'adaptive', budget_tokens: 1 } },
      ofMessages,
      'unknown field thinking.budget_tokens',
    ],
    ['what is kept as it is', { trace: { anything: 1 }, image_config: { x: 1 } }, known, undefined],
    ['a message', { messages: [{ role: 'user', content: 'a', id: 1 }] }, ofChat, undefined],
  ])('is named with its place: in %s', (_where, body, fields, warning) => {
    equal(unknownFieldsWarning(body, fields), warning);
  });

  test('is named for the first ten, followed by the number of others', () => {
    const warning = warned(...Array.from({ length: 13 }, (_, index) => `unheard-${String(index)}`));
    ok(warning?.endsWith('unknown field unheard-9 and 3 more'), warning);
  });

  test('makes a short text that can stand in a header, whatever it is called', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', maxLength: 200 }), { maxLength: 30 }),
        (names) => {
          const warning = warned(...names) ?? '';
          ok(/^[\x20-\x7e]*$/.test(warning) && warning.length < 1_500, warning);
        },
      ),
    );
  });
});
