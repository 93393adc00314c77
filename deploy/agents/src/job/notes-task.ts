import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, answerOf, before, file, type Job, madeByCommand, notes, promptOf } from './job.ts';
import type { TaskIn } from './task.ts';

/** The usual job, with a word that no other run has. */
export const notesTask: TaskIn = (folder) => {
  const job: Job = { folder, word: `w${randomBytes(4).toString('hex')}` };
  return {
    prompt: promptOf(job),
    prepare: () => writeFile(join(folder, file), notes(job)),
    async undone(output) {
      const text = await readFile(join(folder, file), 'utf8');
      const counted = await readFile(join(folder, madeByCommand), 'utf8').catch(() => 'nothing');
      const wanted = notes(job).replace(before, after);
      return [
        ...(output.includes(answerOf(job.word)) ? [] : ['its answer does not have the word']),
        ...(text === wanted ? [] : [`the file is ${JSON.stringify(text)}`]),
        ...(counted === '1\n' ? [] : [`the command wrote ${JSON.stringify(counted)}`]),
      ];
    },
  };
};
