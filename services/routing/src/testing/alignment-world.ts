import { agentScript, type Script } from '@sluice/simulator';
import type { InferenceReply } from '@sluice/inference-port';
import type { AlignmentResult } from '../request/alignment.ts';
import { routingHarness, textOf, type RoutingHarness } from './routing-harness.ts';

type HarnessOptions = NonNullable<Parameters<typeof routingHarness>[0]>;

/** Routing whose account is in the beta of `alignment`. */
export interface AlignedWorld extends RoutingHarness {
  /** The prompts of the models that answer. */
  readonly systems: readonly (readonly string[])[];
}

/**
 * Starts routing with a model that says "banana" at first, and "apple" when it is asked again, to a question that
 * begins with "unsteady". To all else it answers as usual.
 */
export async function alignedWorld(options: HarnessOptions = {}): Promise<AlignedWorld> {
  const asked = new Map<string, number>();
  const systems: string[][] = [];
  const script: Script = (prompt) => {
    if (prompt.model.startsWith('judge')) return options.script?.(prompt);
    systems.push(prompt.turns.filter(({ role }) => role === 'system').map(({ text }) => text));
    const text = prompt.turns.findLast(({ role }) => role === 'user')?.text ?? '';
    if (!text.startsWith('unsteady')) return agentScript(prompt);
    const count = asked.get(text) ?? 0;
    asked.set(text, count + 1);
    return { parts: [{ type: 'text', name: '', text: count === 0 ? 'banana' : 'apple' }] };
  };
  const routing = await routingHarness({ ...options, script });
  routing.accounts.aligned.add('account');
  return Object.defineProperty(routing, 'systems', { value: systems }) as AlignedWorld;
}

/** Returns the judgments in an answer or an error of any door. */
export async function alignmentIn(
  reply: InferenceReply,
): Promise<{ readonly text: string; readonly calls: AlignmentResult['calls'] }> {
  const text = await textOf(reply);
  const [, found = '[]'] = /"alignment":\{"calls":(\[(?:[^[\]]|\[[^\]]*\])*\])\}/.exec(text) ?? [];
  return { text, calls: JSON.parse(found) as AlignmentResult['calls'] };
}
