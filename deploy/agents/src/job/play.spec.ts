import { deepEqual, equal } from 'node:assert/strict';
import type { Tool } from '@sluice/simulator';
import { describe, test } from 'vitest';
import { answerOf, notes, promptOf } from './job.ts';
import { type Played, play } from './play.ts';

const job = { folder: '/tmp/work', word: 'w0123abcd' };
const asked = { role: 'user', text: `<reminder/>\n"${promptOf(job)}"` } as const;

function tool(name: string, properties: object, required: readonly string[]): Tool {
  return { name, parameters: { properties, required }, definition: '' };
}

function promptWith(
  tools: readonly Tool[],
  outputs: readonly string[],
  more?: Played['turns'],
): Played {
  return {
    turns: [
      { role: 'system', text: 'Be brief.' },
      asked,
      ...outputs.map((text) => ({ role: 'tool', text }) as const),
      ...(more ?? []),
    ],
    tools,
  };
}

const text = { type: 'string' };
const shell = tool('exec_command', { cmd: text, login: { type: 'boolean' } }, ['cmd']);
const reader = tool(
  'read_files',
  {
    files: {
      type: 'array',
      items: { type: 'object', properties: { path: text }, required: ['path'] },
    },
  },
  ['files'],
);
const editor = tool('Edit', { file_path: text, old_string: text, new_string: text, why: text }, [
  'file_path',
  'why',
]);

/** Returns the calls of the whole job. */
function callsWith(tools: readonly Tool[]) {
  return ['', notes(job), 'done', '1'].slice(0, 3).map((_, step, all) => {
    const parts = play(promptWith(tools, all.slice(0, step)))?.parts ?? [];
    const { name, text: said } = parts.at(-1) ?? { name: '', text: '{}' };
    return [name, JSON.parse(said)] as const;
  });
}

describe('a played model', () => {
  test('does the job with a shell alone', () => {
    deepEqual(
      callsWith([shell]).map(([name, { cmd }]) => [name, cmd]),
      [
        ['exec_command', 'cat /tmp/work/notes.txt'],
        [
          'exec_command',
          "sed -i 's/The morning is cold./The evening is cold./' /tmp/work/notes.txt",
        ],
        ['exec_command', 'grep -c evening notes.txt > counted.txt && cat counted.txt'],
      ],
    );
  });

  test('prefers tools that read and edit, and gives what each asks for', () => {
    const [read, edited] = callsWith([shell, reader, editor]);
    deepEqual(read, ['read_files', { files: [{ path: '/tmp/work/notes.txt' }] }]);
    deepEqual(edited, [
      'Edit',
      {
        file_path: '/tmp/work/notes.txt',
        old_string: 'The morning is cold.',
        new_string: 'The evening is cold.',
        why: 'a step of the job',
      },
    ]);
  });

  test('sends free text to a tool that takes it', () => {
    const patcher: Tool = { name: 'apply_patch', parameters: {}, definition: '', isCustom: true };
    const call = play(promptWith([shell, patcher], [notes(job)]))?.parts?.at(-1);
    equal(call?.isCustom, true);
    equal(call?.text.split('\n')[1], '*** Update File: notes.txt');
  });

  test('answers with the word that it has read, and with another when nothing was read', () => {
    const last = (outputs: readonly string[]) =>
      play(promptWith([shell], outputs))?.parts?.at(-1)?.text;
    equal(last([notes(job), 'done', '1']), answerOf('w0123abcd'));
    equal(last(['no such file', 'done', '1']), answerOf('unknown'));
  });

  test('gives a summary that the job goes on from', () => {
    const wish = { role: 'user', text: 'Write a summary of the conversation.' } as const;
    const summary = play(promptWith([shell], [notes(job)], [wish]))?.parts?.at(-1)?.text ?? '';
    const after: Played = { turns: [{ role: 'user', text: summary }], tools: [shell] };
    deepEqual(play(after)?.parts?.at(-1)?.name, 'exec_command');
  });

  test('gives a title where no tool is offered', () => {
    equal(play(promptWith([], []))?.parts?.at(-1)?.type, 'text');
  });

  test('leaves other prompts alone', () => {
    equal(play({ turns: [{ role: 'user', text: 'hello' }], tools: [shell] }), undefined);
  });
});
