import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { DocumentationProblem } from './problem.ts';

/** The text as `npm run fix` would leave it in a file of that path. */
export async function formatted(root: string, path: string, source: string): Promise<string> {
  const formatter = spawn(join(root, 'node_modules/.bin/oxfmt'), ['--stdin-filepath', path], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    formatter.once('error', reject);
    formatter.once('close', resolve);
  });
  formatter.stdin.end(source);
  const [result, code] = await Promise.all([text(formatter.stdout), ended]);
  if (code !== 0) throw new DocumentationProblem(`oxfmt cannot format ${path}`);
  return result;
}
