import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generate } from './generate.ts';
import { DocumentationProblem } from './problem.ts';

/**
 * Writes docs/events.md, docs/asyncapi.yaml and the commands of the API from the sources. Ends with 1 when they
 * contradict.
 */
const root = join(import.meta.dirname, '..', '..', '..');
try {
  for (const { path, text } of await generate(root)) {
    await writeFile(join(root, path), text);
    console.log(path);
  }
} catch (error) {
  if (!(error instanceof DocumentationProblem)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
