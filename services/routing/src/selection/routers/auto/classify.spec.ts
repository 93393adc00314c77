import { deepEqual, equal, ok } from 'node:assert/strict';
import type { InferenceRequest } from '@sluice/inference';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { textRequest } from '../../../testing/text-request.ts';
import { classify } from './classify.ts';
import { taskTypes } from './task-types.ts';

const taskOf = (text: string, changes: Partial<InferenceRequest> = {}) =>
  classify({ ...textRequest(text), ...changes }).task.name;
const tools: InferenceRequest['tools'] = [
  { type: 'function', name: 'f', description: undefined, parameters: undefined, strict: undefined },
] as unknown as InferenceRequest['tools'];

describe('the task type of a request', () => {
  test.each([
    ['Fix this bug, it throws an exception:\n```js\nfoo()\n```', 'code:debugging'],
    ['Write unit tests with pytest for my class', 'code:testing'],
    ['Implement a parser in Rust', 'code:generation'],
    ['Solve the equation and prove the theorem', 'math'],
    ['Translate this into French', 'translation'],
    ['Summarize the key points', 'summarization'],
    ['Write a poem, then a story with dialogue', 'creative_writing'],
    ['What is the capital of Peru?', 'qa_knowledge'],
    ['Classify the sentiment as spam or not', 'classification'],
    ['Übersetze das bitte', 'translation'],
    ['把这段话翻译成英文', 'translation'],
    ['Was hilft gegen Migräne?', 'health'],
    ['rewrite: the meeting is in the room', 'rewriting'],
    ['Why does this return null?\n\nfunction f(a) {\n  a.map(x => x);\n}', 'code:debugging'],
    ['SELECT a FROM b\nWHERE c = 1;\n\nmake it faster', 'code:sql'],
    ['17 % of 4350?', 'math'],
    ['zzz', 'conversation'],
    ['', 'conversation'],
  ])('%s', (text, expected) => {
    equal(taskOf(text), expected);
  });

  test('depends on tools, code and pictures', () => {
    equal(taskOf('zzz', { tools }), 'agent:tool_use');
    equal(taskOf('Search for the latest news', { tools }), 'agent:web_research');
    equal(taskOf('Add a retry\n```\nx = 1\n```').startsWith('code:'), true);
    equal(taskOf('Retry').startsWith('code:'), false);
    const source = { type: 'url', url: 'https://x.example/a.png' } as const;
    const image = { type: 'image', source, detail: 'auto' } as const;
    equal(
      taskOf('', { items: [{ type: 'message', role: 'user', content: [image] }] as never }),
      'vision:description',
    );
  });

  test('is that of the last message of the user, with its evidence', () => {
    const [first] = textRequest('Translate this into French').items;
    const [last] = textRequest('Solve the equation').items;
    ok(first && last);
    const { task, evidence } = classify({ ...textRequest(''), items: [first, last] });
    equal(task.name, 'math');
    deepEqual(evidence, ['tiny', 'solve', 'solve the', 'equation']);
  });

  test('is one of the table for any text, and the same each time', () => {
    const names = new Set(taskTypes.map(({ name }) => name));
    equal(names.size, taskTypes.length);
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        const task = taskOf(text);
        ok(names.has(task));
        equal(taskOf(text), task);
      }),
    );
  });
});
