import { deepEqual, equal, match } from 'node:assert/strict';
import { systemClock } from '@sluice/clock-and-ids';
import { Fault } from '@sluice/errors';
import type { FileCalls } from '@sluice/workspace-files';
import { inMemoryFiles } from '@sluice/workspace-files/testing';
import { describe, test } from 'vitest';
import type { ToolContext } from '../tool.ts';
import { filesTool } from './index.ts';

let calls = 0;
const contextOf = (workspaceId = 'ws') =>
  ({
    settings: {},
    callId: 'call_1',
    usageId: `gen-abc/tool/${++calls}`,
    requestId: 'req-1',
    principal: { accountId: 'acc', workspaceId, keyHash: 'f'.repeat(64) },
    signal: new AbortController().signal,
  }) as unknown as ToolContext;

function toolOf(files: FileCalls | undefined = inMemoryFiles(systemClock)) {
  const tool = filesTool({ files });
  const run = async (args: Record<string, unknown>, workspaceId?: string) => {
    const { output, item, isError } = await tool.run(args, contextOf(workspaceId));
    const told = JSON.parse(output as string) as {
      result?: Record<string, unknown>;
      error?: string;
    };
    return { ...told, item, isError };
  };
  const write = async (filename: string, content: string) =>
    String((await run({ operation: 'write', filename, content })).result?.['file_id']);
  return { tool, run, write };
}

describe('service:files', () => {
  test('writes, lists and reads a text file', async () => {
    const { run, write } = toolOf();
    const file_id = await write('notes.txt', 'hello');
    const listed = await run({ operation: 'list', filename_filter: 'note' });
    match(JSON.stringify(listed.result), new RegExp(`"file_id":"${file_id}".*"total_count":1`));
    for (const named of [{ file_id }, { filename: 'notes.txt' }]) {
      const read = await run({ operation: 'read', ...named });
      deepEqual(read.result, { file_id, filename: 'notes.txt', content: 'hello' });
      deepEqual(read.item, {
        operation: 'read',
        call_id: 'call_1',
        arguments: JSON.stringify({ operation: 'read', ...named }),
        file_id,
        filename: 'notes.txt',
        result: JSON.stringify(read.result),
      });
    }
    equal(
      (await run({ operation: 'read', file_id }, 'other')).error,
      `there is no file ${file_id}`,
    );
  });

  test('edits a file into a new one, and leaves the old one', async () => {
    const { run, write } = toolOf();
    const file_id = await write('a.txt', 'one two $& one more');
    const edit = { operation: 'edit', file_id, old_string: 'two', new_string: '$& 2' };
    const edited = await run({ ...edit, new_filename: 'b.txt' });
    const made = String(edited.result?.['file_id']);
    const textOf = async (id: string) =>
      (await run({ operation: 'read', file_id: id })).result?.['content'];
    deepEqual(
      [await textOf(file_id), await textOf(made)],
      ['one two $& one more', 'one $& 2 $& one more'],
    );
    deepEqual([edited.item['file_id'], edited.item['filename']], [made, 'b.txt']);
    equal((await run(edit)).result?.['filename'], 'a.txt');
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    ['read', {}, /file_id or filename is missing/],
    ['read', { filename: 'none.txt' }, /there is no file with the name none\.txt/],
    ['read', { file_id: 'svc_file_none' }, /there is no file svc_file_none/],
    ['write', { content: 'x' }, /filename is missing/],
    ['write', { filename: 'x' }, /content is missing/],
    ['write', { filename: 'x', content: '' }, /a file must not be empty/],
    ['edit', { filename: 'a.txt', new_string: 'x' }, /old_string is missing/],
    ['edit', { filename: 'a.txt', old_string: 'a' }, /new_string is missing/],
    [
      'edit',
      { filename: 'a.txt', old_string: 'no', new_string: 'x' },
      /does not stand in the file/,
    ],
    ['edit', { filename: 'a.txt', old_string: 'aa', new_string: 'x' }, /more than once/],
  ])('tells the model why it cannot %s %o', async (operation, args, sentence) => {
    const { run, write } = toolOf();
    await write('a.txt', 'aaa');
    const { error, item, isError } = await run({ operation, ...args });
    match(error ?? '', sentence);
    deepEqual([item['error'], isError], [error, true]);
  });

  test('without files, and while they cannot be reached, says so', async () => {
    const away: FileCalls = {
      ...inMemoryFiles(systemClock),
      listFiles: async () => Promise.reject(new Fault('unavailable')),
    };
    equal((await toolOf(away).run({ operation: 'list' })).error, 'the files cannot be reached now');
    const { output } = await filesTool({}).run({ operation: 'list' }, contextOf());
    match(output as string, /there are no files here/);
  });

  test('is read again as the call that it was', async () => {
    const { tool, run, write } = toolOf();
    await write('a.txt', 'aaa');
    const { item, result } = await run({ operation: 'read', filename: 'a.txt' });
    deepEqual(tool.replay(item, { settings: {}, deferred: [] }), {
      arguments: '{"operation":"read","filename":"a.txt"}',
      output: JSON.stringify({ result }),
    });
    const { error, item: broken } = await run({ operation: 'read' });
    deepEqual(tool.replay(broken, { settings: {}, deferred: [] }), {
      arguments: '{"operation":"read"}',
      output: JSON.stringify({ error }),
    });
  });
});
