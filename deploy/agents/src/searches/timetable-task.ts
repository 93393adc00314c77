import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TaskIn } from '../job/task.ts';

/** The words that the agent is to search for, and the page of the simulated web that has the answer. */
export const query = 'Pellow Harbor ferry timetable';
export const page = {
  url: 'http://harbor.corpus.example/ferry-timetable',
  title: 'Pellow Harbor: ferry timetable (simulated web)',
  time: '07:15',
} as const;
export const noted = 'ferry.txt';

/** Returns the answer of a model that has read the page. */
export function answerOf({
  url,
  title,
  time,
}: Readonly<Record<keyof typeof page, string>>): string {
  return `The first ferry leaves at ${time}, says "${title}" (${url}).`;
}

/** The answer of a model whose search failed. */
export const failed = 'I do not know: the search has failed.';

/** Asks for something that only a search of the web tells, to be noted by a command. */
export const timetableTask =
  ({ isFailing }: { readonly isFailing: boolean }): TaskIn =>
  (folder) => ({
    prompt:
      `Search the web for "${query}". Note the time of the first ferry in ${noted} of the folder ` +
      `${folder}, and tell it to me.`,
    prepare: () => Promise.resolve(),
    async undone(output) {
      const text = await readFile(join(folder, noted), 'utf8').catch(() => 'nothing');
      const [answer, note] = isFailing ? [failed, 'nothing'] : [answerOf(page), `${page.time}\n`];
      return [
        ...(output.includes(answer) ? [] : [`its answer is not "${answer}"`]),
        ...(text === note ? [] : [`it noted ${JSON.stringify(text)}`]),
      ];
    },
  });

const answerPattern = /The first ferry leaves at \d\d:\d\d, says "[^"]+" \(\S+\)\./;

/** Returns the answer that is in a text. */
export function answerIn(text: string): string | undefined {
  return answerPattern.exec(text)?.[0];
}

const promptPattern = /Search the web for "([^"]+)"\. Note the time .* of the folder (\S+),/;

/** Returns the folder of the task that a text asks for. */
export function folderAsked(text: string): string | undefined {
  return promptPattern.exec(text)?.[2];
}
