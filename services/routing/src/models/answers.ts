import { createHash } from 'node:crypto';
import type { InferenceReply } from '@sluice/inference-port';
import type { Model } from '@sluice/catalog';
import { modelView } from './model-view.ts';

const etagCharacters = 27;
const answersMax = 16;

/** A reply with what a cache needs to know whether it is still the same. */
export function answerOf(text: string, contentType = 'application/json'): InferenceReply {
  const body = Buffer.from(text);
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, etagCharacters);
  const headers = { 'content-type': `${contentType}; charset=utf-8`, etag: `"${digest}"` };
  return { status: 200, headers, body };
}

/** Some models of a list. */
export interface ModelPage {
  readonly models: readonly Model[];
  /** The number of models on all pages. */
  readonly totalCount: number;
  /** The path of the next page, under the base URL; null: this is the last one. */
  readonly next: string | null;
}

/** Models as text: each is written once for as long as the catalog holds it. */
export class ModelTexts {
  readonly #texts = new WeakMap<Model, string>();

  list({ models, totalCount, next }: ModelPage): string {
    const data = models.map((model) => this.#textOf(model)).join(',');
    const rest = JSON.stringify({ total_count: totalCount, links: { next } });
    return `{"object":"list","data":[${data}],${rest.slice(1)}`;
  }

  #textOf(model: Model): string {
    const known = this.#texts.get(model);
    if (known !== undefined) return known;
    const text = JSON.stringify(modelView(model));
    this.#texts.set(model, text);
    return text;
  }
}

/** The latest answers of one version of the catalog; another version has none yet. */
export class KeptAnswers {
  #version: unknown;
  readonly #answers = new Map<string, InferenceReply>();

  find(version: unknown, question: string, answer: () => InferenceReply): InferenceReply {
    if (this.#version !== version) this.#answers.clear();
    this.#version = version;
    const known = this.#answers.get(question);
    if (known) return known;
    const [oldest] = this.#answers.keys();
    if (oldest !== undefined && this.#answers.size >= answersMax) this.#answers.delete(oldest);
    const found = answer();
    this.#answers.set(question, found);
    return found;
  }
}
