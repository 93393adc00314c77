import { type InputItem, textOf } from '@sluice/inference';
import { lastHuman } from '../judge.ts';

/** The results of tools since the last message of the user. */
export interface Signals {
  readonly results: number;
  readonly errors: number;
  /** Errors after the last result that was none. */
  readonly errors_at_the_end: number;
  /** The same call failed twice. */
  readonly repeated_failure: boolean;
  /** Calls that changed files and did not fail. */
  readonly landed_edits: number;
}

const itemsMax = 200;
const readMax = 2_000;
const errorsMany = 2;

const failures = [
  /^\s*(?:error|exception|traceback|fatal|failed|panic)\b/i,
  /"error"\s*:\s*["{[]/,
  /"is_?error"\s*:\s*true/i,
  /"exit_?code"\s*:\s*-?[1-9]/i,
  /exit(?:ed with)? (?:code|status) [1-9]/i,
];
const edit = /edit|write|patch|replace|insert|create_file/i;

/** Reads the results of tools, which say how a task goes. */
export function signalsOf(all: readonly InputItem[]): Signals {
  const items = all.slice(lastHuman(all) + 1).slice(-itemsMax);
  const calls = new Map<string, { readonly name: string; readonly text: string }>();
  const failed = new Set<string>();
  let results = 0;
  let errors = 0;
  let atTheEnd = 0;
  let isRepeated = false;
  let edits = 0;
  for (const item of items) {
    if (item.type === 'function-call')
      calls.set(item.callId, { name: item.name, text: item.arguments });
    else if (item.type === 'custom-tool-call')
      calls.set(item.callId, { name: item.name, text: item.input });
    else if (item.type === 'function-call-output' || item.type === 'custom-tool-call-output') {
      const call = calls.get(item.callId);
      results += 1;
      if (isFailure(item)) {
        const key = `${call?.name ?? ''} ${call?.text ?? ''}`;
        isRepeated ||= failed.has(key);
        failed.add(key);
        errors += 1;
        atTheEnd += 1;
      } else {
        atTheEnd = 0;
        if (call && edit.test(call.name)) edits += 1;
      }
    }
  }
  return {
    results,
    errors,
    errors_at_the_end: atTheEnd,
    repeated_failure: isRepeated,
    landed_edits: edits,
  };
}

type Output = Extract<InputItem, { type: 'function-call-output' | 'custom-tool-call-output' }>;

function isFailure(item: Output): boolean {
  if (item.type === 'function-call-output' && item.isError) return true;
  const { output } = item;
  const text = typeof output === 'string' ? output : textOf(output);
  const read = text.slice(0, readMax);
  return failures.some((pattern) => pattern.test(read));
}

/** Returns the tier that the results of tools speak for. Undefined: they do not decide. */
export function tierBySignals(signals: Signals): 'efficient' | 'capable' | undefined {
  if (signals.repeated_failure || signals.errors_at_the_end >= errorsMany) return 'capable';
  return signals.landed_edits > 0 && signals.errors_at_the_end === 0 ? 'efficient' : undefined;
}
