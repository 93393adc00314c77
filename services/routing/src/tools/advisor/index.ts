import type { AdvisorSettings, JsonObject } from '@sluice/client-schemas';
import type { InputItem } from '@sluice/inference';
import { Type } from 'typebox';
import { askingMs, innerFields } from '../asking/inner-fields.ts';
import { message, transcriptOf } from '../asking/transcript.ts';
import type { OpeningContext, ServerTool, ToolContext, ToolResult } from '../tool.ts';
import { historyOf } from './history.ts';

const usualPrompt = 'What should be done next?';

/** Returns the tool that asks a model for advice. Each instance remembers what it was asked. */
export function advisorTool(): ServerTool {
  return {
    type: 'service:advisor',
    timeoutMs: askingMs,
    asFunction: (settings) => functionOf(settings),
    worstCost: () => 0n,
    opening: (args, context) => openingOf(args, context),
    run: advise,
    replay({ prompt, advice, model, error }) {
      if (typeof advice !== 'string' && typeof error !== 'string') return undefined;
      const output =
        typeof advice === 'string' ? { status: 'ok', model, advice } : { status: 'error', error };
      return { arguments: JSON.stringify({ prompt }), output: JSON.stringify(output) };
    },
  };
}

function functionOf({ name, model, forward_transcript: forwards }: AdvisorSettings) {
  const prompt = Type.String({
    description: 'The question, with all that the advisor has to know.',
    default: usualPrompt,
  });
  const named = typeof name === 'string' ? ` This one is called ${name.trim()}.` : '';
  return {
    description: `Asks another model for advice. It remembers earlier questions.${named}`,
    parameters: Type.Object({
      prompt: forwards === true ? Type.Optional(prompt) : prompt,
      ...(typeof model !== 'string' && {
        model: Type.Optional(
          Type.String({ description: 'The model to ask. Empty: the same as yours.', default: '' }),
        ),
      }),
    }),
  };
}

function promptOf({ prompt }: JsonObject): string {
  return typeof prompt === 'string' && prompt.trim() !== '' ? prompt : usualPrompt;
}

function modelOf({ model: asked }: JsonObject, { settings, model }: OpeningContext): string {
  const { model: set }: AdvisorSettings = settings;
  return set ?? (typeof asked === 'string' && asked !== '' ? asked : model);
}

function openingOf(args: JsonObject, context: OpeningContext) {
  const { name }: AdvisorSettings = context.settings;
  const hasName = context.instances > 1 && typeof name === 'string';
  return {
    model: modelOf(args, context),
    prompt: promptOf(args),
    ...(hasName && { instance_name: name.trim() }),
  };
}

async function advise(args: JsonObject, context: ToolContext): Promise<ToolResult> {
  const settings: AdvisorSettings = context.settings;
  const opened = openingOf(args, context);
  const words = { content_index: 0, logprobs: [] } as const;
  let told = '';
  const onText = (delta: string): void => {
    told += delta;
    context.progress({ event: 'output_text.delta', fields: { ...words, delta } });
  };
  const { model, text, error } = await context.ask({
    model: opened.model,
    instructions: settings.instructions ?? undefined,
    items: questionOf(args, context),
    fields: innerFields(settings),
    onText: settings.stream === true ? onText : undefined,
  });
  const problem = error?.message ?? (text === '' ? 'the advisor gave no answer' : undefined);
  if (told !== '') {
    const fields = { ...words, text: problem === undefined ? text : told };
    context.progress({ event: 'output_text.done', fields });
  }
  if (problem !== undefined)
    return {
      output: JSON.stringify({ status: 'error', error: problem }),
      isError: true,
      item: { ...opened, status: 'failed', error: problem },
    };
  const advice = { model, advice: text };
  return { output: JSON.stringify({ status: 'ok', ...advice }), item: { ...opened, ...advice } };
}

function questionOf(args: JsonObject, context: ToolContext): readonly InputItem[] {
  const { settings, request, name } = context;
  const { forward_transcript: forwards }: AdvisorSettings = settings;
  const before = forwards === true ? transcriptOf(request.items) : historyOf(request.items, name);
  return [...before, message('user', promptOf(args))];
}
