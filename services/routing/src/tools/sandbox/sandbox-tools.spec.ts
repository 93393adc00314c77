import { deepEqual, equal, match } from 'node:assert/strict';
import type { SandboxSettings } from '@sluice/client-schemas';
import { loadCatalog } from '@sluice/catalog';
import { describe, test } from 'vitest';
import { inMemorySandbox } from '../../testing/in-memory-sandbox.ts';
import { bashTool } from '../bash/index.ts';
import { shellTool } from '../shell/index.ts';
import type { ServerTool, ToolContext } from '../tool.ts';
import { containerIdOf } from './container-of.ts';

const catalogFile = 'tool_prices: [{ tool: "service:shell", second: "0.001" }]';
const catalog = loadCatalog({
  simulatorUrl: undefined,
  file: catalogFile,
  settings: () => undefined,
});

const contextOf = (settings: SandboxSettings, deadlineMs = performance.now() + 600_000) =>
  ({
    settings,
    callId: 'call_1',
    generationId: 'gen-abc',
    sessionId: '',
    principal: { accountId: 'acc', workspaceId: 'ws' },
    signal: new AbortController().signal,
    deadlineMs,
  }) as unknown as ToolContext;

const run = (tool: ServerTool, args: Record<string, unknown>, settings: SandboxSettings = {}) =>
  tool.run(args, contextOf(settings));

describe('service:shell', () => {
  test('runs commands in order, and tells how each ended, its files and its time', async () => {
    const sandbox = inMemorySandbox();
    const commands = ['touch a.txt', 'exit 3', 'sleep', 'flood'];
    const { output, item, isError, charge } = await run(shellTool({ sandbox, catalog }), {
      commands,
    });
    deepEqual(sandbox.commands, commands);
    deepEqual(sandbox.opened, ['acc ws gen_abc']);
    deepEqual([isError, item.status, item['container_id']], [false, 'completed', 'gen_abc']);
    const results = item['output'] as { outcome: unknown; stderr: string }[];
    deepEqual(
      results.map(({ outcome }) => outcome),
      [
        { type: 'exit', exit_code: 0 },
        { type: 'exit', exit_code: 3 },
        { type: 'timeout' },
        { type: 'exit', exit_code: 137 },
      ],
    );
    match(results[3]?.stderr ?? '', /it wrote too much/);
    deepEqual(JSON.parse(output as string), { results });
    deepEqual(item['files'], [
      {
        type: 'container_file_citation',
        container_id: 'gen_abc',
        file_id: `cfile_${Buffer.from('a.txt').toString('base64url')}`,
        filename: 'a.txt',
        start_index: 0,
        end_index: 0,
      },
    ]);
    deepEqual(charge, { costNanoUsd: 6_000_000n, counts: { seconds: 6 } });
  });

  test('holds the time that a call may take', () => {
    equal(shellTool({ sandbox: undefined, catalog }).worstCost?.({}, {}), 600_000_000n);
    equal(bashTool({ sandbox: undefined, catalog }).worstCost?.({}, {}), 0n);
  });

  test('cites the files that changed since the call began', async () => {
    const sandbox = inMemorySandbox();
    const tool = shellTool({ sandbox, catalog });
    await run(tool, { commands: ['touch old', 'touch b'] });
    const { item } = await run(tool, { commands: ['touch b', 'true'] });
    const files = item['files'] as { filename: string }[];
    deepEqual(
      files.map(({ filename }) => filename),
      ['b'],
    );
  });

  test.each([
    ['away', 'sandbox unavailable'],
    ['taken', 'another policy'],
  ])('fails as a result where the container is %s', async (container_id, error) => {
    const environment = { type: 'container_reference', container_id } as const;
    const sandbox = inMemorySandbox();
    const settings = { environment };
    const { output, item, isError } = await run(
      shellTool({ sandbox, catalog }),
      { commands: ['a'] },
      settings,
    );
    deepEqual([item.status, item['error'], isError], ['failed', error, true]);
    deepEqual(JSON.parse(output as string), { results: [], error });
  });

  test('without a sandbox says so', async () => {
    const { output, item, isError } = await run(shellTool({ sandbox: undefined, catalog }), {
      commands: ['a'],
    });
    deepEqual([item.status, item['error'], isError], ['failed', 'sandbox unavailable', true]);
    deepEqual(JSON.parse(output as string), { error: 'sandbox unavailable' });
  });

  test('begins no command after its deadline', async () => {
    const sandbox = inMemorySandbox();
    const tool = shellTool({ sandbox, catalog });
    const { item } = await tool.run({ commands: ['a'] }, contextOf({}, performance.now() - 1));
    deepEqual(
      [item.status, item['error'], sandbox.commands.length],
      ['failed', 'the time is up', 0],
    );
  });

  test('is read again as the call that it was', async () => {
    const tool = shellTool({ sandbox: inMemorySandbox(), catalog });
    const { item, output } = await run(tool, { commands: ['a'], timeout_ms: 5 });
    deepEqual(tool.replay(item, { settings: {}, deferred: [] }), {
      arguments: '{"commands":["a"],"timeout_ms":5}',
      output,
    });
  });
});

describe('service:bash', () => {
  test('goes to the client unless the engine is service', () => {
    const tool = bashTool({ sandbox: undefined, catalog });
    const engines = [{}, { engine: 'auto' }, { engine: 'native' }, { engine: 'service' }];
    deepEqual(
      engines.map((settings) => tool.isRunByClient?.(settings)),
      [true, true, true, false],
    );
  });

  test('runs a command or several, and tells the last status', async () => {
    const sandbox = inMemorySandbox();
    const tool = bashTool({ sandbox, catalog });
    const { item } = await run(tool, { command: 'one', commands: ['two', 'exit 4'] });
    deepEqual(
      [item['command'], item['stdout'], item['exitCode'], item.status, item['call_id']],
      ['one\ntwo\nexit 4', 'one\ntwo\n', 4, 'completed', 'call_1'],
    );
    equal((await run(tool, { restart: true })).item['exitCode'], 0);
    equal((await run(tool, {})).item.status, 'failed');
    equal(sandbox.commands.length, 3);
  });
});

describe('the container of a call', () => {
  test('is that of the request, of the session, or of the response', () => {
    const of = (settings: SandboxSettings, sessionId: string) =>
      containerIdOf(settings, { generationId: `gen-${'1'.repeat(60)}`, sessionId });
    const named = { type: 'container_reference', container_id: 'mine' } as const;
    equal(of({ environment: named }, 's'), 'mine');
    equal(of({}, ''), `gen_${'1'.repeat(36)}`);
    match(of({}, 'a session with / any text'), /^sess_[A-Za-z0-9_-]{35}$/);
    equal(of({}, 'a') === of({}, 'b'), false);
  });
});
