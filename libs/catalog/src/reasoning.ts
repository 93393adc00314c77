import { type Model, type ReasoningAbility, reasoningEfforts } from './catalog.ts';
import type { FileModel } from './file.ts';

type Written = FileModel['reasoning'];
type Effort = (typeof reasoningEfforts)[number];

/** Reads the reasoning of a model from the file. `true` says only that it reasons. */
export function reasoningOf(written: Written): Pick<Model, 'isReasoning' | 'reasoning'> {
  if (typeof written !== 'object') return { isReasoning: written ?? false, reasoning: undefined };
  return { isReasoning: true, reasoning: abilityOf(written) };
}

function abilityOf(written: Exclude<Written, boolean | undefined>): ReasoningAbility {
  const { mandatory = false, supported_efforts: named, default_effort: effort } = written;
  return {
    isMandatory: mandatory,
    efforts: named && reasoningEfforts.filter((one) => named.includes(one)),
    defaultEffort: effort as Effort | undefined,
    isDefaultOn: written.default_enabled ?? (mandatory || (effort ?? 'none') !== 'none'),
    takesBudget: written.supports_max_tokens ?? false,
  };
}

/** Returns the contradiction in it, beginning with the field. undefined: none. */
export function reasoningProblem(written: Written): string | undefined {
  if (typeof written !== 'object') return undefined;
  const { mandatory, supported_efforts: named, default_effort: effort } = written;
  if (effort !== undefined && named && !named.includes(effort))
    return 'default_effort: it is not among supported_efforts';
  if (!mandatory) return undefined;
  if (named?.includes('none')) return 'supported_efforts: none, of a model that always thinks';
  if (effort === 'none') return 'default_effort: none, of a model that always thinks';
  if (written.default_enabled === false)
    return 'default_enabled: false, of a model that always thinks';
  return undefined;
}
