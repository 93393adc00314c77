import { setImmediate } from 'node:timers/promises';
import type { AnswerPart, EmbeddingVector } from '@sluice/inference';
import type { UsageReport } from '../../request/usage-report.ts';
import { completionCost } from '../answer/wire-cost.ts';
import type { AnswerHead, Settlement, WholeWriter } from '../dialect.ts';
import { base64Of, numbersOf } from './vector-forms.ts';

interface VectorForm {
  readonly isBase64: boolean;
}

/** Writes the vectors of an answer as one list. */
export class VectorsWriter implements WholeWriter {
  readonly headers = { 'content-type': 'application/json; charset=utf-8' };
  #head: AnswerHead;
  readonly #form: VectorForm;
  #vectors: readonly EmbeddingVector[] = [];
  #status: WholeWriter['status'];

  constructor(head: AnswerHead, form: VectorForm) {
    this.#head = head;
    this.#form = form;
  }

  get status(): WholeWriter['status'] {
    return this.#status;
  }

  servedBy(model: string): void {
    this.#head = { ...this.#head, model };
  }

  write(parts: readonly AnswerPart[]): void {
    for (const part of parts) if (part.type === 'embeddings') this.#vectors = part.vectors;
  }

  end(settlement: Settlement): ReturnType<WholeWriter['end']> {
    this.#status = settlement.last.type === 'finish' ? 'completed' : 'failed';
    const texts = this.#texts(settlement);
    const first = nextPiece(texts);
    return first.isLast ? first.text : pieces(first, texts);
  }

  /** Returns the text of the answer, vector by vector. */
  *#texts({ usage, serviceMetadata }: Settlement): Generator<string, undefined> {
    const { name, model } = this.#head;
    const start = JSON.stringify({ object: 'list', id: `gen-${name}`, model, data: [] });
    yield start.slice(0, -']}'.length);
    for (const [index, vector] of this.#vectors.entries()) {
      const embedding = JSON.stringify(this.#form.isBase64 ? base64Of(vector) : numbersOf(vector));
      const comma = index === 0 ? '' : ',';
      yield `${comma}{"object":"embedding","index":${String(index)},"embedding":${embedding}}`;
    }
    const rest = JSON.stringify({
      usage: usage && wireUsage(usage),
      service_metadata: serviceMetadata,
    });
    yield rest === '{}' ? ']}' : `],${rest.slice(1)}`;
  }
}

/**
 * An answer that is longer is written in pieces, each in an event loop tick of its own: the text of 2,048 vectors of
 * 3,072 numbers takes seconds.
 */
const pieceCharacters = 256 * 1024;

interface Piece {
  readonly text: string;
  readonly isLast: boolean;
}

function nextPiece(texts: Iterator<string, undefined>): Piece {
  let text = '';
  while (text.length < pieceCharacters) {
    const { done, value } = texts.next();
    if (done) return { text, isLast: true };
    text += value;
  }
  return { text, isLast: false };
}

async function* pieces(
  first: Piece,
  texts: Iterator<string, undefined>,
): AsyncGenerator<Uint8Array, undefined> {
  for (let piece = first; ; piece = nextPiece(texts)) {
    yield Buffer.from(piece.text);
    if (piece.isLast) return;
    await setImmediate();
  }
}

function wireUsage(report: UsageReport) {
  const { tokens } = report;
  const { cachedTokens } = tokens;
  return {
    prompt_tokens: tokens.inputTokens,
    total_tokens: tokens.inputTokens,
    prompt_tokens_details: cachedTokens > 0 ? { cached_tokens: cachedTokens } : undefined,
    ...completionCost(report),
  };
}
