import type { EmbeddingVector, StreamPart } from '@sluice/inference';
import type { UsageReport } from '../../request/usage-report.ts';
import { wireCost } from '../answer/wire-cost.ts';
import type { AnswerHead, Settlement, WholeWriter } from '../dialect.ts';
import { base64Of, numbersOf } from './vector-forms.ts';

interface VectorForm {
  readonly isBase64: boolean;
}

/** Writes the vectors of an answer as one list. */
export class VectorsWriter implements WholeWriter {
  readonly headers = { 'content-type': 'application/json; charset=utf-8' };
  readonly #head: AnswerHead;
  readonly #form: VectorForm;
  #vectors: readonly EmbeddingVector[] = [];
  #last: 'finish' | 'error' | undefined;

  constructor(head: AnswerHead, form: VectorForm) {
    this.#head = head;
    this.#form = form;
  }

  get status(): WholeWriter['status'] {
    if (this.#last === 'finish') return 'completed';
    return this.#last === 'error' ? 'failed' : undefined;
  }

  write(parts: readonly StreamPart[]): void {
    for (const part of parts)
      if (part.type === 'embeddings') this.#vectors = part.vectors;
      else if (part.type === 'finish' || part.type === 'error') this.#last = part.type;
  }

  end({ usage, serviceMetadata }: Settlement): string {
    const { isBase64 } = this.#form;
    return JSON.stringify({
      object: 'list',
      id: `gen-${this.#head.name}`,
      model: this.#head.model,
      data: this.#vectors.map((vector, index) => ({
        object: 'embedding',
        index,
        embedding: isBase64 ? base64Of(vector) : numbersOf(vector),
      })),
      usage: usage && wireUsage(usage),
      service_metadata: serviceMetadata,
    });
  }
}

function wireUsage(report: UsageReport) {
  const { tokens } = report;
  const { cachedTokens } = tokens;
  return {
    prompt_tokens: tokens.inputTokens,
    total_tokens: tokens.inputTokens,
    prompt_tokens_details: cachedTokens > 0 ? { cached_tokens: cachedTokens } : undefined,
    ...wireCost(report),
  };
}
