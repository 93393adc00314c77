import type { Catalog } from '@sluice/catalog';
import type { FusionSettings, JsonObject } from '@sluice/client-schemas';
import type { ReadPage } from '@sluice/inference';
import { Type } from 'typebox';
import { panelOf } from './presets.ts';
import { askingMs } from '../asking/inner-fields.ts';
import type { ServerTool, ToolContext, ToolResult } from '../tool.ts';
import { analysisOf, analysisQuestion, type PanelAnswer, type ReadAnswer } from './analysis.ts';
import { askPanelist, type FailedModel, panelFields } from './panel.ts';

/** Returns the tool that asks a panel of models the same, and a model that compares their answers. */
export function fusionTool({ catalog }: { readonly catalog: Pick<Catalog, 'listed'> }): ServerTool {
  return {
    type: 'service:fusion',
    timeoutMs: askingMs,
    asFunction: () => ({
      description:
        'Asks several models the same question, and compares their answers. Once in an answer.',
      parameters: Type.Object({
        prompt: Type.String({
          description: 'The question, with all that the models have to know.',
          minLength: 1,
          default: 'What should be done next?',
        }),
      }),
    }),
    worstCost: () => 0n,
    run: async (args, context) => {
      try {
        return await fuse(catalog, String(args['prompt']), context);
      } catch {
        return failed('the panel failed', 'unexpected_error');
      }
    },
    stopped: () => failed('the panel did not answer in time', 'cancelled'),
    replay({ responses, analysis, failed_models: failed, error }) {
      if (!Array.isArray(responses) && typeof error !== 'string') return undefined;
      const output =
        typeof error === 'string'
          ? { status: 'error', error }
          : { status: 'ok', analysis, responses, failed_models: failed };
      return { arguments: '{}', output: JSON.stringify(output) };
    },
  };
}

async function fuse(
  { listed }: Pick<Catalog, 'listed'>,
  prompt: string,
  context: ToolContext,
): Promise<ToolResult> {
  const { answer, name, callId } = context;
  const first = answer.find((item) => item.type === 'function-call' && item.name === name);
  if (first?.type === 'function-call' && first.callId !== callId)
    return failed('the panel was asked in this answer already', 'fusion_invocation_capped');
  const settings: FusionSettings = context.settings;
  context.progress({ event: 'fusion_call.in_progress' });
  const panel = [...new Set(settings.analysis_models ?? panelOf('general-high', listed))];
  const all = await Promise.all(panel.map((model) => askPanelist(model, prompt, context)));
  const answers = all.filter((one): one is ReadAnswer => 'content' in one);
  const responses = answers.map(({ model, content }) => ({ model, content }));
  const sources = allSources(answers);
  const failures = all.filter((one): one is FailedModel => 'failure' in one);
  const failed_models = failures.map(({ model, failure }) => {
    return { model, error: failure.message, status_code: failure.status };
  });
  const told = failures.length > 0 ? { failed_models } : {};
  if (responses.length === 0)
    return failed('no model of the panel answered', reasonOf(failures, context), told);
  const compared = await compare(prompt, responses, context);
  context.progress({ event: 'fusion_call.completed' });
  const fused = { ...('analysis' in compared && compared), responses, ...told };
  return {
    output: JSON.stringify({ status: 'ok', ...fused }),
    item: {
      ...fused,
      ...(sources.length > 0 && { sources: sources.map(({ url, title }) => ({ url, title })) }),
      ...('failure' in compared && { failure_reason: compared.failure }),
    },
    sources,
  };
}

const sourcesMax = 200;

/** Returns the pages of all answers, each once. */
function allSources(answers: readonly ReadAnswer[]): readonly ReadPage[] {
  const byUrl = new Map(
    answers.flatMap(({ sources }) => sources.map((page) => [page.url, page] as const)),
  );
  return [...byUrl.values()].slice(0, sourcesMax);
}

/** The answers alone are a result, too, if the comparison fails. */
async function compare(prompt: string, responses: readonly PanelAnswer[], context: ToolContext) {
  const settings: FusionSettings = context.settings;
  const model = settings.model ?? context.model;
  const named = { analyst_model: model, judge_model: model };
  context.progress({ event: 'fusion_call.analysis.in_progress', fields: named });
  const { tools: _tools, max_tool_calls: _calls, ...fields } = panelFields(settings);
  const question = analysisQuestion(prompt, responses);
  const asked = await context.ask({
    ...question,
    model,
    fields: { ...fields, ...question.fields },
  });
  const compared = analysisOf(asked);
  if ('analysis' in compared)
    context.progress({ event: 'fusion_call.analysis.completed', fields: compared });
  return compared;
}

/** Returns the reason that all failures of the panel have. */
function reasonOf(failures: readonly FailedModel[], { signal }: ToolContext): string {
  if (signal.aborted) return 'cancelled';
  const reasons = new Set(failures.map(({ failure }) => reasonByStatus[failure.status] ?? ''));
  const [reason = ''] = reasons;
  return reasons.size === 1 && reason !== '' ? reason : 'all_panels_failed';
}

const reasonByStatus: Readonly<Record<number, string>> = {
  400: 'invalid_model',
  402: 'insufficient_credits',
  404: 'invalid_model',
  429: 'rate_limited',
};

function failed(error: string, failure_reason: string, told: JsonObject = {}): ToolResult {
  return {
    output: JSON.stringify({ status: 'error', error, failure_reason }),
    isError: true,
    item: { ...told, error, failure_reason },
  };
}
