import { join } from 'node:path';
import type { OutputPart, Prompt, Scripted, Tool } from '@sluice/simulator';
import { callOf, toolNamed } from './calls.ts';
import { after, answerOf, before, command, file, folderAsked, summaryOf, wordRead } from './job.ts';

const shells = /^(exec_command|shell|shell_command|bash|run_shell_command|run_commands)$/i;
const readers = /^(read|read_file|read_files)$/i;
const editors = /^(apply_patch|edit|editor|replace)$/i;

/** The parts of a prompt that decide the next answer. */
export type Played = Pick<Prompt, 'turns' | 'tools'> & Partial<Pick<Prompt, 'isReasoning'>>;

/**
 * Plays a model that does the job with the tools that the agent offers: one call in each answer, decided by what has
 * been answered already. Without tools it is asked for a title, or for a summary that the job goes on from.
 */
export function play(prompt: Played): Scripted | undefined {
  const { turns, tools } = prompt;
  const asked = turns.findLastIndex(({ role, text }) => role !== 'tool' && folderAsked(text));
  const folder = folderAsked(turns[asked]?.text ?? '');
  if (folder === undefined) return undefined;
  const word = turns.map(({ text }) => wordRead(text)).find((found) => found !== undefined);
  const shell = toolNamed(tools, shells);
  if (!shell || asksForSummary(turns.at(-1))) return { parts: [say(summaryOf({ folder, word }))] };
  const outputs = turns.slice(asked).filter(({ role }) => role === 'tool');
  const thoughts = prompt.isReasoning ? [think('What is the next step of the job?')] : [];
  const step = stepOf(outputs.length, { folder, shell, tools });
  if (step) return { parts: [...thoughts, say(step.says), step.call] };
  return { parts: [...thoughts, say(answerOf(word ?? 'unknown'))] };
}

/** Claude Code offers its tools also where it wants a text alone. */
function asksForSummary(turn: Prompt['turns'][number] | undefined): boolean {
  return turn?.role === 'user' && /summary of (?:the|our|this) conversation/i.test(turn.text);
}

interface Offered {
  readonly folder: string;
  readonly shell: Tool;
  readonly tools: readonly Tool[];
}

function stepOf(
  number: number,
  { folder, shell, tools }: Offered,
): { readonly says: string; readonly call: OutputPart } | undefined {
  const path = join(folder, file);
  switch (number) {
    case 0: {
      const call = callOf(toolNamed(tools, readers) ?? shell, { path, command: `cat ${path}` });
      return { says: 'I read the notes.', call };
    }
    case 1: {
      const edit = {
        path,
        old: before,
        new: after,
        patch,
        command: `sed -i 's/${before}/${after}/' ${path}`,
      };
      return {
        says: 'I change the notes.',
        call: callOf(toolNamed(tools, editors) ?? shell, edit),
      };
    }
    case 2:
      return { says: 'I count.', call: callOf(shell, { command }) };
    default:
      return undefined;
  }
}

const patch = `*** Begin Patch
*** Update File: ${file}
@@
-${before}
+${after}
*** End Patch`;

function say(text: string): OutputPart {
  return { type: 'text', name: '', text };
}

function think(text: string): OutputPart {
  return { type: 'reasoning', name: '', text };
}
