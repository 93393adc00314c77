import type { InferenceRequest, InputItem } from '@sluice/inference';
import { readRows } from '../../filters/data.ts';

/** A prompt, and the task type that a reader sees in it. */
export interface LabeledPrompt {
  readonly task: string;
  readonly language: string;
  readonly text: string;
  readonly system?: string;
  readonly tools?: readonly string[];
  readonly image?: true;
}

export type Prompts = 'seen' | 'blind' | 'training';

/** Reads one half of the labeled prompts, or the prompts for training. Nothing is made with the blind half. */
export function readPrompts(half: Prompts): readonly LabeledPrompt[] {
  return readRows(new URL(`prompts-${half}.jsonl`, import.meta.url)) as readonly LabeledPrompt[];
}

/** Returns the request of an app that sends a prompt. */
export function requestOf({ text, system, tools = [], image }: LabeledPrompt): InferenceRequest {
  const instructions: readonly InputItem[] =
    system === undefined
      ? []
      : [{ type: 'message', role: 'system', content: [{ type: 'text', text: system }] }];
  return {
    items: [
      ...instructions,
      {
        type: 'message',
        role: 'user',
        content: [{ type: 'text', text }, ...(image ? [picture] : [])],
      },
    ],
    tools: tools.map((name) => ({
      type: 'function',
      name,
      description: undefined,
      parameters: { type: 'object' },
      strict: undefined,
    })),
    toolChoice: { type: 'auto' },
    parallelToolCalls: undefined,
    maxOutputTokens: undefined,
    temperature: undefined,
    topP: undefined,
    stream: false,
  };
}

const picture = {
  type: 'image',
  source: { type: 'url', url: 'https://example.com/picture.png' },
  detail: 'auto',
} as const;
