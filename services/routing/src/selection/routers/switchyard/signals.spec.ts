import { equal } from 'node:assert/strict';
import type { InputItem } from '@sluice/inference';
import { describe, test } from 'vitest';
import { signalsOf, tierBySignals } from './signals.ts';

const human: InputItem = {
  type: 'message',
  role: 'user',
  content: [{ type: 'text', text: 'go on' }],
};
const turn = (name: string, text: string, output: string, isError = false): InputItem[] => {
  const callId = `${name}${text}${output}`;
  return [
    { type: 'function-call', callId, name, arguments: text },
    { type: 'function-call-output', callId, output, ...(isError && { isError: true as const }) },
  ];
};
const tierOf = (...items: readonly InputItem[]) => tierBySignals(signalsOf([human, ...items]));

describe('the results of tools', () => {
  test.each<[string, readonly InputItem[], string | undefined]>([
    ['nothing', [], undefined],
    ['a result', turn('read', '1', 'a file'), undefined],
    ['one error', turn('run', '1', 'Error: no'), undefined],
    ['two errors', [...turn('run', '1', 'Error: a'), ...turn('run', '2', 'fatal: b')], 'capable'],
    [
      'the same error twice, with a result between',
      [...turn('run', '1', 'Error: a'), ...turn('read', '2', 'x'), ...turn('run', '1', 'failed')],
      'capable',
    ],
    ['an edit', turn('edit_file', '1', 'done'), 'efficient'],
    ['an edit that failed', turn('edit_file', '1', 'not found', true), undefined],
    [
      'an edit after errors',
      [...turn('a', '1', 'Error'), ...turn('b', '1', 'Error'), ...turn('write', '1', 'ok')],
      'efficient',
    ],
    [
      'an edit before an error',
      [...turn('edit', '1', 'ok'), ...turn('t', '1', 'error')],
      undefined,
    ],
    [
      'an error in JSON',
      [...turn('a', '1', '{"error":"x"}'), ...turn('b', '1', '{"exit_code":2}')],
      'capable',
    ],
    [
      'no error in JSON',
      [...turn('a', '1', '{"error":null}'), ...turn('b', '1', '{"exit_code":0}')],
      undefined,
    ],
    [
      'errors before the last message of the user',
      [...turn('a', '1', 'Error'), ...turn('b', '1', 'Error'), human],
      undefined,
    ],
  ])('decide for a tier: %s', (_, items, tier) => {
    equal(tierOf(...items), tier);
  });

  test('are read in linear time, and only the last ones', () => {
    const long = turn('run', '1', '"error" '.repeat(50_000));
    equal(tierOf(...Array.from({ length: 500 }, () => long).flat()), undefined);
  });
});
