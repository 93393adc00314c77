import type { FusionSettings, JsonObject } from '@sluice/client-schemas';
import { innerFields } from '../asking/inner-fields.ts';
import { message } from '../asking/transcript.ts';
import type { AskFailure } from '../ask-model.ts';
import type { ToolContext } from '../tool.ts';
import type { ReadAnswer } from './analysis.ts';

const callsUsual = 4;
const tokensUsual = 16_000;

/** The part of a panel's answers that failed. */
export interface FailedModel {
  readonly model: string;
  readonly failure: AskFailure;
}

/** Returns the fields of the questions to the panel. */
export function panelFields(settings: FusionSettings): JsonObject {
  const { tools, max_tool_calls: callsMax, max_completion_tokens: tokens } = settings;
  const given = tools ?? [{ type: 'service:web_search' }, { type: 'service:web_fetch' }];
  return {
    ...innerFields({ ...settings, max_completion_tokens: tokens ?? tokensUsual }),
    ...(given.length > 0 && { tools: given, max_tool_calls: callsMax ?? callsUsual }),
    ...(settings.cache_control && { cache_control: settings.cache_control }),
  };
}

/** Asks one model of the panel, and tells the client how it goes. */
export async function askPanelist(
  model: string,
  prompt: string,
  context: ToolContext,
): Promise<ReadAnswer | FailedModel> {
  context.progress({ event: 'fusion_call.panel.added', fields: { model } });
  let told = '';
  const onText = (delta: string): void => {
    told += delta;
    context.progress({ event: 'fusion_call.panel.delta', fields: { model, delta } });
  };
  const onReasoning = (delta: string): void =>
    context.progress({ event: 'fusion_call.panel.reasoning.delta', fields: { model, delta } });
  const { text, error, sources } = await context.ask({
    model,
    items: [message('user', prompt)],
    fields: panelFields(context.settings),
    ...(context.request.stream && { onText, onReasoning }),
  });
  const failure = error ?? (text === '' ? empty : undefined);
  if (failure) {
    const fields = { model, error: failure.message, status_code: failure.status };
    context.progress({ event: 'fusion_call.panel.failed', fields });
    return { model, failure };
  }
  // The text before a call of a tool is a part of the answer. A filter may have replaced the text at its end.
  const content = told.endsWith(text) ? told : text;
  context.progress({ event: 'fusion_call.panel.completed', fields: { model, content } });
  return { model, content, sources };
}

const empty: AskFailure = {
  code: 'provider_unavailable',
  status: 502,
  message: 'the model gave no answer',
};
