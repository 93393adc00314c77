import type { InferenceRequest } from '@sluice/inference';
import { abortSignalOf } from '@sluice/inference-port';
import type { Moderator } from '@sluice/moderation';
import { settingsOf } from '../../request/plugins.ts';
import type {
  CandidateStage,
  ChosenEndpoint,
  StageContext,
  StageRefusal,
  StageReport,
} from '../stage.ts';
import { type Flag, judgeRequest } from './judge-request.ts';
import { createVerdicts } from './verdicts.ts';

export interface ModerationOptions {
  readonly moderator: Moderator;
  /** Called once for each request whose input was moderated. */
  readonly onChecked?: (outcome: 'passed' | 'flagged' | 'failed') => void;
}

/**
 * Moderates the texts of a request if the client or the provider of a chosen endpoint demands it (inference.md, section
 * 7.2). A flag takes all models with such an endpoint out of the choice. If the client demands it, or no model is left,
 * the request is refused. Throws a Fault if the texts could not be judged: nothing is sent unchecked.
 */
export function moderationStage({
  moderator,
  onChecked = () => undefined,
}: ModerationOptions): CandidateStage {
  const verdicts = createVerdicts();
  const judge = async (request: InferenceRequest, { principal, signal: left }: StageContext) => {
    const signal = abortSignalOf(left);
    try {
      const { accountId } = principal;
      const flag = await judgeRequest(request, { accountId, signal, moderator, verdicts });
      onChecked(flag ? 'flagged' : 'passed');
      return flag;
    } catch (error) {
      if (!signal.aborted) onChecked('failed');
      throw error;
    }
  };
  return {
    at: 'candidate',
    name: 'moderation',
    concerns: (call, candidates) =>
      settingsOf(call, 'moderation') !== undefined ||
      candidates.some(({ endpoint }) => endpoint.isModerated),
    async run(call, context) {
      const { inference: request } = call;
      const { candidates } = context;
      const isDemanded = settingsOf(call, 'moderation') !== undefined;
      const moderated = isDemanded
        ? candidates
        : candidates.filter(({ endpoint }) => endpoint.isModerated);
      const [first] = moderated;
      if (!first) return {};
      if (request.embedding?.tokens) return tokensRefusal;
      const startedMs = performance.now();
      const flag = await judge(request, context);
      const moderationLatencyMs = Math.round(performance.now() - startedMs);
      if (!flag) return { moderationLatencyMs };
      const excludedModels = new Set(moderated.map(({ model }) => model.id));
      if (candidates.every(({ model }) => excludedModels.has(model.id)))
        return refusal(flag, first, { isDemanded });
      return { moderationLatencyMs, excludedModels, reports: [report(flag, 'fallback')] };
    },
  };
}

/** Tokens cannot be judged, and nothing is sent unchecked. */
const tokensRefusal: StageRefusal = {
  rejected: 'invalid_request',
  message: 'Invalid request: input: must be texts: the input is moderated',
  metadata: { issues: [{ path: 'input', message: 'must be texts: the input is moderated' }] },
};

function refusal(
  flag: Flag,
  { model, endpoint }: ChosenEndpoint,
  { isDemanded }: { readonly isDemanded: boolean },
): StageRefusal {
  const reasons = flag.reasons.join(', ');
  return {
    rejected: 'moderation_flagged',
    message: isDemanded
      ? `The input was flagged by moderation: ${reasons}`
      : `${model.id} requires moderation of its input on ${endpoint.providerName}. It was flagged: ${reasons}`,
    metadata: {
      reasons: flag.reasons,
      flagged_input: flag.excerpt,
      provider_name: endpoint.providerName,
      model_slug: model.id,
    },
    reports: [report(flag, 'blocked')],
  };
}

/** Describes a flag without a part of the text. */
function report({ reasons, confidence }: Flag, decision: 'blocked' | 'fallback'): StageReport {
  return {
    type: 'guardrail',
    name: 'moderation',
    summary: `${decision}: ${reasons.join(', ')}`,
    data: { flagged: true, decision, confidence_level: confidence, reasons },
  };
}
