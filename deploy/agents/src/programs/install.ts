import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Agent } from './agent.ts';

/** Nothing of others is kept in the repository. */
export const cacheFolder = join(import.meta.dirname, '..', '..', '..', '..', '.cache', 'agents');
const timeoutMs = 600_000;

/** The program that starts the agent, and its first arguments. */
export interface Installed {
  readonly command: string;
  readonly args: readonly string[];
}

/** Fetches the agent from npm where it is missing. No script of a package runs. */
export async function install(
  agent: Agent,
  onProgress: (line: string) => void,
): Promise<Installed> {
  const folder = join(cacheFolder, 'programs', `${agent.name}-${agent.version}`);
  const program = join(folder, 'node_modules', agent.program);
  if (!(await exists(program))) {
    onProgress(`${agent.package}@${agent.version} is fetched`);
    await fetchInto(folder, agent);
  }
  if (!(await exists(program)))
    throw new Error(`${agent.package}@${agent.version} has no ${agent.program}`);
  return agent.isScript
    ? { command: process.execPath, args: [program] }
    : { command: program, args: [] };
}

/** The folder comes to its place only when everything is in it. */
async function fetchInto(folder: string, agent: Agent): Promise<void> {
  await mkdir(cacheFolder, { recursive: true });
  const draft = await mkdtemp(join(cacheFolder, 'draft-'));
  try {
    await writeFile(join(draft, 'package.json'), '{"private":true}\n');
    const spec = `${agent.package}@${agent.version}`;
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact'];
    await promisify(execFile)('npm', ['install', ...quiet, spec], {
      cwd: draft,
      timeout: timeoutMs,
    });
    await mkdir(join(folder, '..'), { recursive: true });
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function exists(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}
