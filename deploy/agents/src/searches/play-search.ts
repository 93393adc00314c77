import { join } from 'node:path';
import type { OutputPart, Script, Scripted, Tool } from '@sluice/simulator';
import { callOf, toolNamed } from '../job/calls.ts';
import type { Played } from '../job/play.ts';
import { answerIn, answerOf, failed, folderAsked, noted, query } from './timetable-task.ts';

/** Sluice's tool as the model sees it. */
const hosted = /^service_web_search$/;
/** The tool of an agent that searches by a request of its own. */
const ofAgent = /^WebSearch$/;
/** The tool of an agent that shows a tool only when it is asked for. */
const finder = /^ToolSearch$/;
const shells = /^(exec_command|Bash)$/;

/**
 * Returns the script of a model that searches the web, notes what a page says by a command, and answers. It says only
 * what the results of its tools say. An agent's own request for a search has no shell: it is searched for and answered.
 * The search engine fails when it is told to.
 */
export function playSearch({ isFailing }: { readonly isFailing: boolean }): Script {
  const wished = isFailing ? `${query} ${engineFails}` : query;
  return ({ turns, tools }: Played) => {
    const folder = turns.map(({ text }) => folderAsked(text)).find((asked) => asked !== undefined);
    const isOwnRequest = turns.some(({ text }) => text.includes(`for the query: ${query}`));
    if (folder === undefined && !isOwnRequest) return undefined;
    // A search that is sent again has the addresses alone. The model goes on from its own words.
    const said = turns
      .map((turn) => turn.role === 'assistant' && answerIn(turn.text))
      .find(Boolean);
    if (said) return answer(said);
    const outputs = turns.filter(({ role }) => role === 'tool').map(({ text }) => text);
    if (outputs.some((text) => failure.test(text))) return answer(failed);
    const found = outputs.map(readPage).find((read) => read !== undefined);
    if (!found) return search(tools, wished);
    const shell = toolNamed(tools, shells);
    if (folder === undefined || !shell)
      return answer(`${found.url} says: it leaves at ${found.time}.`);
    const command = `echo ${found.time} > ${join(folder, noted)}`;
    return { parts: [say(answerOf(found)), callOf(shell, { command })] };
  };
}

/** In round brackets it is no directive for the model. */
const engineFails = '(sim:error-500)';
/** The words of Sluice's tool, and those of Claude Code for the block of an error. */
const failure = /the search engine|Web search error: unavailable/;

function search(tools: readonly Tool[], wished: string): Scripted {
  const tool = toolNamed(tools, hosted);
  if (tool) return call(tool, { query: wished.replace(engineFails, '[sim:error-500]') });
  const own = toolNamed(tools, ofAgent);
  if (own) return call(own, { query: wished });
  const find = toolNamed(tools, finder);
  if (find) return call(find, { query: 'select:WebSearch', max_results: 1 });
  return answer('I have no tool that searches the web.');
}

function call({ name }: Tool, args: object): Scripted {
  return { parts: [{ type: 'tool-call', name, text: JSON.stringify(args) }] };
}

function answer(text: string): Scripted {
  return { parts: [say(text)] };
}

function say(text: string): OutputPart {
  return { type: 'text', name: '', text };
}

/** Reads the page of the timetable in the output of a tool. Its address and title stand together in a result. */
function readPage(output: string) {
  const [, time] = /leaves at (\d\d:\d\d)/.exec(output) ?? [];
  const result = [...output.matchAll(/\{[^{}]*\}/g)].find(([text]) => /timetable/.test(text))?.[0];
  const [, url] = /"url":"([^"]+)"/.exec(result ?? '') ?? [];
  const [, title] = /"title":"([^"]+)"/.exec(result ?? '') ?? [];
  return time !== undefined && url !== undefined && title !== undefined
    ? { time, url, title }
    : undefined;
}
