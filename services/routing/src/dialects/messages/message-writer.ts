import { isObject } from '@sluice/client-schemas';
import { type AnswerPart, parseExactJson } from '@sluice/inference';
import type { AnswerHead, Settlement, WholeWriter } from '../dialect.ts';
import { Answer } from './answer.ts';
import type { BlockDelta, BlockStep, OpeningBlock } from './blocks.ts';
import { type Stop, withAlignment } from './stop.ts';
import { messageUsage } from './wire-usage.ts';

/** A block with its content so far. */
interface GrownBlock {
  readonly opening: OpeningBlock;
  text: string;
  signature: string;
  readonly citations: Readonly<Record<string, unknown>>[];
}

/** Writes an answer as one message. */
export class MessageWriter implements WholeWriter {
  readonly headers = { 'content-type': 'application/json; charset=utf-8' };
  #head: AnswerHead;
  readonly #answer = new Answer();
  readonly #blocks: GrownBlock[] = [];
  #stop: Stop | undefined;

  constructor(head: AnswerHead) {
    this.#head = head;
  }

  get status(): WholeWriter['status'] {
    return this.#stop?.status;
  }

  /** Clients of this format take an answer with 200 for one that is whole. */
  get httpStatus(): number | undefined {
    return this.#stop?.http;
  }

  servedBy(model: string): void {
    this.#head = { ...this.#head, model };
  }

  write(parts: readonly AnswerPart[]): void {
    for (const part of parts) for (const step of this.#answer.take(part)) this.#grow(step);
  }

  end({ last, usage, serviceTier, serviceMetadata, alignment }: Settlement): string {
    const { name, model } = this.#head;
    const { stop, steps } = this.#answer.end(last);
    this.#stop = stop;
    for (const step of steps) this.#grow(step);
    const told = serviceMetadata && { service_metadata: serviceMetadata };
    if (stop.error)
      return JSON.stringify({
        type: 'error',
        error: withAlignment(stop.error, alignment),
        request_id: `gen-${name}`,
        ...told,
      });
    return JSON.stringify({
      id: `msg_${name}`,
      type: 'message',
      role: 'assistant',
      model,
      content: this.#blocks.map(wireBlock),
      stop_reason: stop.reason,
      stop_sequence: stop.sequence,
      stop_details: stop.details,
      container: null,
      ...(usage && { usage: messageUsage(usage, serviceTier) }),
      ...told,
      ...(alignment && { alignment }),
    });
  }

  #grow(step: BlockStep): void {
    if (step.step === 'start')
      this.#blocks.push({ opening: step.block, text: '', signature: '', citations: [] });
    const open = this.#blocks.at(-1);
    if (step.step === 'delta' && open) add(open, step.delta);
  }
}

function add(block: GrownBlock, delta: BlockDelta): void {
  switch (delta.type) {
    case 'text_delta':
      block.text += delta.text;
      return;
    case 'thinking_delta':
      block.text += delta.thinking;
      return;
    case 'input_json_delta':
      block.text += delta.partial_json;
      return;
    case 'signature_delta':
      block.signature += delta.signature;
      return;
    case 'citations_delta':
      block.citations.push(delta.citation);
  }
}

function wireBlock({ opening, text, signature, citations }: GrownBlock): object {
  if ('tool_use_id' in opening) return opening;
  switch (opening.type) {
    case 'text':
      // Clients refuse a field that is null where Anthropic leaves it out.
      return { ...opening, text, ...(citations.length > 0 && { citations }) };
    case 'thinking':
      return { type: 'thinking', thinking: text, signature };
    case 'redacted_thinking':
    case 'image':
      return opening;
    case 'tool_use':
    case 'server_tool_use':
      return { ...opening, input: inputOf(text) };
  }
}

/** Returns the input of a call. That of a cut call may be no JSON: it is left out. */
function inputOf(text: string): object {
  try {
    const input = parseExactJson(text);
    return isObject(input) ? input : {};
  } catch {
    return {};
  }
}
