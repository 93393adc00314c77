import type { RerankDocument } from '@sluice/client-schemas';
import type { AnswerPart, Rank } from '@sluice/inference';
import type { UsageReport } from '../../request/usage-report.ts';
import { completionCost } from '../answer/wire-cost.ts';
import type { AnswerHead, Settlement, WholeWriter } from '../dialect.ts';

/** Writes the ranks of documents as one object. The documents are those of the client, unchanged. */
export class RanksWriter implements WholeWriter {
  readonly headers = { 'content-type': 'application/json; charset=utf-8' };
  #head: AnswerHead;
  #provider: string | null = null;
  readonly #documents: readonly RerankDocument[];
  #ranks: readonly Rank[] = [];
  #status: WholeWriter['status'];

  constructor(head: AnswerHead, documents: readonly RerankDocument[]) {
    this.#head = head;
    this.#documents = documents;
  }

  get status(): WholeWriter['status'] {
    return this.#status;
  }

  servedBy(model: string, provider: string): void {
    this.#head = { ...this.#head, model };
    this.#provider = provider;
  }

  write(parts: readonly AnswerPart[]): void {
    for (const part of parts) if (part.type === 'ranks') this.#ranks = part.ranks;
  }

  end({ last, usage, serviceMetadata }: Settlement): string {
    this.#status = last.type === 'finish' ? 'completed' : 'failed';
    const { name, model } = this.#head;
    return JSON.stringify({
      id: `gen-${name}`,
      model,
      provider: this.#provider,
      results: this.#ranks.map(({ index, score }) => ({
        index,
        relevance_score: score,
        document: documentOf(this.#documents[index]),
      })),
      usage: usage && wireUsage(usage),
      service_metadata: serviceMetadata,
    });
  }
}

function documentOf(document: RerankDocument | undefined): object {
  return typeof document === 'object' ? document : { text: document };
}

function wireUsage(report: UsageReport) {
  const { inputTokens, searchUnits = 0 } = report.tokens;
  return {
    total_tokens: inputTokens,
    search_units: searchUnits,
    ...completionCost(report),
  };
}
