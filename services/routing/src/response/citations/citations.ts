import type { AnswerPart, ReadPage } from '@sluice/inference';
import { CitedText, type FoundAddress } from './cited-text.ts';

const sourcesMax = 1_000;
const annotationsMax = 1_000;
const excerptCharacters = 300;

/**
 * Adds a `url_citation` to the answer where it names the address of a page that a tool of the response has read. It
 * sees the text that leaves, so that the indexes hold whatever the output stages changed.
 */
export class Citations {
  readonly #sources = new Map<string, ReadPage>();
  readonly #texts = new Map<number, CitedText>();
  #annotations = 0;

  add(sources: readonly ReadPage[]): void {
    for (const source of sources) {
      const key = keyOf(source.url);
      if (key === undefined || this.#sources.size >= sourcesMax) continue;
      if (!this.#sources.has(key)) this.#sources.set(key, source);
    }
  }

  /** Returns the parts with an annotation behind each part that completes a citation. */
  annotate(parts: readonly AnswerPart[]): readonly AnswerPart[] {
    if (this.#sources.size === 0) return parts;
    return parts.flatMap((part) => this.#annotated(part));
  }

  #annotated(part: AnswerPart): readonly AnswerPart[] {
    if (part.type === 'text-start') this.#texts.set(part.part, new CitedText());
    if (part.type === 'text-delta')
      return [part, ...this.#cite(part.part, this.#texts.get(part.part)?.add(part.delta))];
    // Places in a text that is replaced are not those of its replacement.
    if (part.type === 'correction' && part.difference === 'contrary') this.#texts.delete(part.part);
    if (part.type !== 'text-end') return [part];
    const found = this.#texts.get(part.part)?.end();
    this.#texts.delete(part.part);
    return [...this.#cite(part.part, found), part];
  }

  #cite(part: number, found: readonly FoundAddress[] = []): readonly AnswerPart[] {
    return found.flatMap(({ address, start, end }): readonly AnswerPart[] => {
      const source = this.#sources.get(keyOf(address) ?? '');
      if (!source || this.#annotations >= annotationsMax) return [];
      this.#annotations += 1;
      const annotation = {
        type: 'url_citation',
        url: source.url,
        title: source.title,
        start_index: start,
        end_index: end,
        ...(source.content !== '' && { content: excerptOf(source.content) }),
      };
      return [{ type: 'text-annotation', part, annotation }];
    });
  }
}

/** Returns the form in which addresses are compared: without a fragment, and without a slash at the end. */
function keyOf(address: string): string | undefined {
  const url = URL.parse(address);
  if (!url) return undefined;
  url.hash = '';
  return url.href.replace(/\/$/u, '');
}

function excerptOf(content: string): string {
  return content.slice(0, excerptCharacters).toWellFormed();
}
