import { adapters } from '../engines/index.ts';
import { type Dial, exchange } from '../exchange.ts';
import { keyHeaders } from '../key-headers.ts';
import { cleanText, webAddress } from '../take-results.ts';
import { pageAdapters, type StatedPage } from './page-adapters.ts';
import type {
  PageEngine,
  PageEngineName,
  PageOutcome,
  PageProblem,
  ReadPage,
} from './page-engine.ts';

export interface PageEngineOptions {
  readonly name: PageEngineName;
  readonly key: { reveal(): string };
  /** Replaces the address of the engine. */
  readonly baseUrl?: string | undefined;
  /** The bound of one page. */
  readonly deadlineMs?: number;
  /** The bound of one answer. */
  readonly answerBytesMax?: number;
  readonly dial?: Dial;
}

const deadlineMsDefault = 15_000;
const answerBytesMaxDefault = 16 * 1_048_576;
const titleLengthMax = 300;

/** Creates an engine that reads pages. Throws if its key cannot be a header. */
export function createPageEngine(options: PageEngineOptions): PageEngine {
  const { name, deadlineMs = deadlineMsDefault, answerBytesMax = answerBytesMaxDefault } = options;
  const adapter = pageAdapters[name];
  const baseUrl = options.baseUrl ?? adapters[name].baseUrl ?? '';
  const headers = { ...keyHeaders(adapters[name], options), ...adapter.headers };
  return {
    name,
    async read(url, { signal, charactersMax, requestId }) {
      const late = AbortSignal.timeout(deadlineMs);
      const got = await exchange(adapter.request(url, charactersMax), {
        dial: options.dial ?? fetch,
        baseUrl,
        headers: {
          ...headers,
          ...(requestId !== undefined && { 'x-client-request-id': requestId }),
        },
        bytesMax: answerBytesMax,
        signal: AbortSignal.any([signal, late]),
      });
      if (signal.aborted) return failed(name, 'canceled');
      if ('problem' in got)
        return late.aborted ? failed(name, 'timeout') : failed(name, got.problem, got.status);
      const stated = adapter.read(got.answer);
      if (stated === undefined) return failed(name, 'invalid_answer');
      const page = stated === 'unreadable' ? undefined : pageOf(stated, url, charactersMax);
      if (!page) return failed(name, 'unreadable');
      const upstreamId = adapter.idOf?.(got.answer);
      return { isRead: true, page, ...(upstreamId !== undefined && { upstreamId }) };
    },
  };
}

function pageOf(stated: StatedPage, asked: string, charactersMax: number): ReadPage | undefined {
  const content = cleanText(stated.content, charactersMax);
  if (content === '') return undefined;
  return {
    url: webAddress(stated.url)?.href ?? asked,
    title: cleanText(stated.title, titleLengthMax),
    content,
  };
}

const sentences: Readonly<Record<PageProblem, string>> = {
  canceled: 'the page was canceled',
  unreadable: 'the engine could not read the page',
  unreachable: 'the engine cannot be reached',
  timeout: 'the engine did not answer in time',
  rejected_key: 'the engine rejected the request or its key',
  rate_limited: 'the engine has a limit that is reached',
  rejected: 'the engine rejected the request',
  engine_failed: 'the engine failed',
  invalid_answer: 'the engine returned an invalid answer',
  answer_too_large: 'the answer of the engine is too large',
};

/** Problems after which it is not known what the engine has done. */
const unsettled: readonly PageProblem[] = [
  'canceled',
  'unreachable',
  'timeout',
  'invalid_answer',
  'answer_too_large',
];

function failed(name: PageEngineName, problem: string, status?: number): PageOutcome {
  // A page has neither a query nor lists of domains.
  const known = problem as PageProblem;
  const code = status === undefined ? '' : ` (HTTP ${String(status)})`;
  return {
    isRead: false,
    problem: known,
    message: `${name}: ${sentences[known]}${code}`,
    mayBeBilled: unsettled.includes(known),
  };
}
