import { isRejection, type Rejection } from '@sluice/errors';
import type { InputItem } from '@sluice/inference';
import type { CanonicalCall } from '../../request/call.ts';
import { type PluginSettings, settingsOf } from '../../request/plugins.ts';
import type { AlignmentRecord } from '../../request/alignment.ts';
import type { InputStage, ResponseStage, TurnStage } from '../stage.ts';
import type { StageWork } from '../stage-work.ts';
import type { Evaluator } from './evaluator.ts';
import { judgedMessage } from './judged-message.ts';
import { Judgments } from './judgments.ts';
import { rulesMessage } from './rules-message.ts';

export interface AlignmentOptions {
  /** Absent: the installation has none, and the plugin is refused. */
  readonly evaluator?: Evaluator | undefined;
  /** Receives the outcome of each evaluation, or the reason why there is none. */
  readonly onEvaluated?: ((outcome: string) => void) | undefined;
}

type Settings = PluginSettings<'alignment'>;

/**
 * States the rules of the plugin `alignment` to the model, in a message of the system after those of the request.
 * `added` scans them like all that comes from outside.
 */
export function instructStage(added: ResponseStage<'turn', TurnStage>): InputStage {
  return {
    at: 'input',
    name: 'alignment',
    concerns: (call) => aligned(call) !== undefined,
    async run(call, context) {
      const settings = aligned(call);
      if (!settings || settings.instruct === false) return { call };
      const scan = await added.open(call, context);
      const told = [rulesMessage(settings.rules)];
      const scanned = (await scan?.runAdded?.(told)) ?? { items: told };
      if (isRejection(scanned)) return scanned;
      const { items, ...evidence } = scanned;
      return { ...evidence, call: withRules(call, items) };
    },
  };
}

function withRules(call: CanonicalCall, rules: readonly InputItem[]): CanonicalCall {
  const { inference } = call;
  const first = inference.items.findIndex((item) => !isInstruction(item));
  const place = first === -1 ? inference.items.length : first;
  return {
    ...call,
    inference: { ...inference, items: inference.items.toSpliced(place, 0, ...rules) },
  };
}

function isInstruction(item: InputItem): boolean {
  return item.type === 'message' && (item.role === 'system' || item.role === 'developer');
}

/** Returns the settings for a request that a model answers in words. */
function aligned(call: CanonicalCall): Settings | undefined {
  const { embedding, ranking } = call.inference;
  return embedding || ranking ? undefined : settingsOf(call, 'alignment');
}

const usualRetries = 1;

/** Judges each answer of the model against the rules (contract inference.md 7.2), before a tool of it runs. */
export function alignmentStage({
  evaluator,
  onEvaluated,
}: AlignmentOptions): ResponseStage<'turn', TurnStage> {
  return {
    at: 'turn',
    name: 'alignment',
    open(call, { work }) {
      const settings = aligned(call);
      if (!settings || !evaluator || !work) return undefined;
      const judgments = new Judgments(settings);
      const evaluate = async (answer: readonly InputItem[]) => {
        const record = await evaluated({ evaluator, judgments, call, settings, work }, answer);
        if (record) onEvaluated?.('reason' in record ? record.reason : record.outcome);
        return record;
      };
      const told = { report: () => judgments.report(), alignment: () => judgments.result };
      if (settings.mode === 'audit')
        return { ...told, observe: async (answer) => void (await evaluate(answer)) };
      let retriesLeft = settings.max_retries ?? usualRetries;
      return {
        ...told,
        async judge(answer, { mayRetry }) {
          if ((await evaluate(answer))?.outcome !== 'blocked') return 'pass';
          retriesLeft -= 1;
          return mayRetry && retriesLeft >= 0 ? 'retry' : blocked;
        },
      };
    },
  };
}

const blocked: Rejection = {
  rejected: 'alignment_blocked',
  message: 'The answer of the model breaks a rule of the plugin alignment',
};

interface Evaluating {
  readonly evaluator: Evaluator;
  readonly judgments: Judgments;
  readonly call: CanonicalCall;
  readonly settings: Settings;
  readonly work: StageWork;
}

/** Returns the judgment of an answer. undefined: the answer has nothing to judge. */
async function evaluated(
  { evaluator, judgments, call, settings: { rules }, work }: Evaluating,
  answer: readonly InputItem[],
): Promise<AlignmentRecord | undefined> {
  const message = judgedMessage(answer);
  return message && judgments.add(await evaluator.evaluate({ rules, message, call, work }));
}
