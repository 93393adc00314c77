import { deepEqual, rejects } from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, test } from 'vitest';
import { parseReceipts } from './receipt-lines.ts';

const parse = (...chunks: readonly string[]) =>
  Array.fromAsync(parseReceipts(Readable.from(chunks)));
const counts = { inputTokens: 1n, outputTokens: 2n, cachedTokens: 0n };
const a = { id: 'a', ...counts, reasoningTokens: undefined, attemptId: '', isFree: false };

describe('receipts', () => {
  test('are read from JSON lines, wherever the chunks end', async () => {
    const line = '{"id":"a","input_tokens":1,"output_tokens":2,"cached_tokens":0,"at":"now"}\n';
    deepEqual(await parse(line.slice(0, 9), line.slice(9), '\n', line.trimEnd()), [a, a]);
  });

  test('are read from CSV with its columns in any order', async () => {
    const text =
      '\uFEFFOutput_Tokens,"model",id,input_tokens,cached_tokens\r\n2,"x, ""y""",a,1,0\r\n';
    deepEqual(await parse(text), [a]);
    const unknown = { ...a, cachedTokens: undefined };
    deepEqual(await parse('id,prompt_tokens,completion_tokens,note\na,1,2,\n'), [unknown]);
    deepEqual(await parse('id,input_tokens,output_tokens,cached_tokens\na,1,2,\n'), [unknown]);
  });

  test('may name the attempt, the reasoning and that it failed', async () => {
    const told = { ...a, reasoningTokens: 1n, attemptId: 'gen-1/1/1', isFree: true };
    const csv =
      'id,input_tokens,output_tokens,cached_tokens,reasoning_tokens,client_request_id,outcome';
    deepEqual(await parse(`${csv}\na,1,2,0,1,gen-1/1/1,failed\n`), [told]);
    const line = { id: 'a', input_tokens: 1, output_tokens: 2, cached_tokens: 0, outcome: 'cut' };
    deepEqual(await parse(JSON.stringify({ ...line, client_request_id: '' })), [a]);
  });

  test('may have an amount in the place of tokens, as those of search engines have', async () => {
    const told = { ...a, inputTokens: 0n, outputTokens: 0n, costNanoUsd: 7_000_001n };
    const unread = { ...told, cachedTokens: undefined };
    deepEqual(await parse('{"id":"a","cost_usd":"0.0070000005"}'), [unread]);
    deepEqual(await parse('{"id":"a","cost_usd":0.007000001}'), [unread]);
    deepEqual(await parse('id,cost_usd,cached_tokens\na,0.007000001,0\n'), [told]);
  });

  test('are none in an empty file', async () => deepEqual(await parse('', '\n'), []));

  for (const [text, sentence] of [
    ['{"id":"a"', 'is no JSON object'],
    ['{"input_tokens":1,"output_tokens":2}', 'has no id'],
    ['{"id":7,"input_tokens":1,"output_tokens":2}', 'has no id'],
    ['{"id":"a","output_tokens":2}', 'has no input_tokens'],
    [
      '{"id":"a","input_tokens":1,"output_tokens":2,"client_request_id":3}',
      'has a client_request_id',
    ],
    ['{"id":"a","cost_usd":"much"}', 'has a cost_usd'],
    ['{"id":"a","cost_usd":-1}', 'has a cost_usd'],
    ['{"id":"a","input_tokens":1.5,"output_tokens":2}', 'has input_tokens that are no whole'],
    ['{"id":"a","input_tokens":-1,"output_tokens":2}', 'has input_tokens that are no whole'],
    ['{"id":"a","input_tokens":1e21,"output_tokens":2}', 'has input_tokens that are no whole'],
  ] as const)
    test(`are refused when a line is ${text}`, () =>
      rejects(parse(text), ({ name, message }: Error) => {
        return (
          name === 'ReceiptsUnreadable' && message.startsWith(`Line 1 of the receipts ${sentence}`)
        );
      }));

  for (const line of ['"a,1,2', 'a,1', 'a,1,2,3', 'a"b,1,2'])
    test(`are refused when a line of CSV is ${line}`, () =>
      rejects(parse(`id,input_tokens,output_tokens\n${line}\n`), { name: 'ReceiptsUnreadable' }));

  test('are refused when a line does not end', () =>
    rejects(parse(...Array.from({ length: 3 }, () => 'x'.repeat(600_000))), {
      message: 'The receipts have a line of more than 1 MiB.',
    }));
});
