import { deepEqual, equal } from 'node:assert/strict';
import type { Prompt, Tool } from '@sluice/simulator';
import { describe, test } from 'vitest';
import { playSearch } from './play-search.ts';
import { answerOf, failed, page, query, timetableTask } from './timetable-task.ts';

const { prompt } = timetableTask({ isFailing: false })('/tmp/work');
const asked = { role: 'user', text: prompt } as const;
const own = { role: 'user', text: `Perform a web search for the query: ${query}` } as const;

function tool(name: string, ...properties: readonly string[]): Tool {
  const texts = properties.map((property) => [property, { type: 'string' }]);
  return { name, parameters: { properties: Object.fromEntries(texts) }, definition: '' };
}
const hosted = tool('service_web_search', 'query');
const shell = tool('exec_command', 'cmd');
const result = { url: page.url, title: page.title, content: `The ferry leaves at ${page.time}.` };
const results = { role: 'tool', text: JSON.stringify([result]) } as const;

/** Returns the last part of the answer to a conversation. */
function partOf(turns: Prompt['turns'], tools: readonly Tool[], isFailing = false) {
  const conversation = { turns, tools } as Prompt;
  const part = playSearch({ isFailing })(conversation)?.parts?.at(-1);
  return part && [part.name, part.text];
}

describe('a model that is played for a search', () => {
  test('searches with the tool of Sluice, notes the time, and answers', () => {
    deepEqual(partOf([asked], [shell, hosted]), [hosted.name, `{"query":"${query}"}`]);
    const command = `echo ${page.time} > /tmp/work/ferry.txt`;
    const noting = partOf([asked, results], [shell, hosted]);
    deepEqual(noting, [shell.name, JSON.stringify({ cmd: command })]);
    const said = { role: 'assistant', text: answerOf(page) } as const;
    const done = { role: 'tool', text: '' } as const;
    deepEqual(partOf([asked, said, done], [shell, hosted]), ['', answerOf(page)]);
  });

  test('finds a tool that is not shown, and searches for an agent that asks for itself', () => {
    const find = partOf([asked], [tool('ToolSearch', 'query'), shell]);
    deepEqual(find, ['ToolSearch', '{"query":"select:WebSearch","max_results":1}']);
    deepEqual(partOf([own], [hosted]), [hosted.name, `{"query":"${query}"}`]);
    equal(partOf([own, results], [hosted])?.[1], `${page.url} says: it leaves at ${page.time}.`);
  });

  test('says so when no tool searches, or the search failed', () => {
    deepEqual(partOf([asked], [shell]), ['', 'I have no tool that searches the web.']);
    const error = { role: 'tool', text: 'the search engine failed' } as const;
    deepEqual(partOf([asked, error], [shell, hosted]), ['', failed]);
    const broken = JSON.stringify({ query: `${query} [sim:error-500]` });
    deepEqual(partOf([asked], [hosted], true), [hosted.name, broken]);
  });

  test('leaves other prompts alone', () => {
    equal(partOf([{ role: 'user', text: 'hello' }], [hosted]), undefined);
  });
});
