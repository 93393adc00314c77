import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { EngineRequest } from '../adapter.ts';
import { idAt, stated } from '../engines/stated.ts';
import type { PageEngineName } from './page-engine.ts';

/** The page as the engine states it, before it is checked and cut. */
export interface StatedPage {
  readonly url: unknown;
  readonly title: unknown;
  readonly content: unknown;
}

/** The part of an engine's API that reads pages: pure, so that recorded requests and answers describe it. */
export interface PageAdapter {
  readonly headers?: Readonly<Record<string, string>>;
  request(url: string, charactersMax: number): EngineRequest;
  /** Returns the page; `unreadable`: the engine says so; undefined: it is no answer of this engine. */
  read(answer: unknown): StatedPage | 'unreadable' | undefined;
  idOf?(answer: unknown): string | undefined;
}

const exaAnswer = Compile(
  Type.Object({ results: Type.Array(Type.Object({ url: stated, title: stated, text: stated })) }),
);

/** https://exa.ai/docs/reference/get-contents */
const exa: PageAdapter = {
  request: (url, maxCharacters) => ({
    method: 'POST',
    path: '/contents',
    body: { urls: [url], text: { maxCharacters } },
  }),
  idOf: idAt('requestId'),
  read(answer) {
    if (!exaAnswer.Check(answer)) return undefined;
    const [first] = answer.results;
    return first ? { url: first.url, title: first.title, content: first.text } : 'unreadable';
  },
};

const parallelAnswer = Compile(
  Type.Object({
    results: Type.Array(
      Type.Object({ url: stated, title: stated, full_content: stated, excerpts: stated }),
    ),
  }),
);

/** https://docs.parallel.ai/api-reference/extract-beta/extract */
const parallel: PageAdapter = {
  headers: { 'parallel-beta': 'search-extract-2025-10-10' },
  request: (url, charactersMax) => ({
    method: 'POST',
    path: '/v1beta/extract',
    body: {
      urls: [url],
      excerpts: false,
      full_content: { max_chars_per_result: charactersMax },
    },
  }),
  idOf: idAt('extract_id'),
  read(answer) {
    if (!parallelAnswer.Check(answer)) return undefined;
    const [first] = answer.results;
    if (!first) return 'unreadable';
    return { url: first.url, title: first.title, content: first.full_content };
  },
};

const firecrawlAnswer = Compile(
  Type.Object({
    success: Type.Literal(true),
    data: Type.Object({
      markdown: stated,
      metadata: Type.Optional(Type.Object({ title: stated, url: stated, statusCode: stated })),
    }),
  }),
);
const firecrawlFailure = Compile(Type.Object({ success: Type.Literal(false) }));
const firstErrorStatus = 400;

/** https://docs.firecrawl.dev/api-reference/endpoint/scrape */
const firecrawl: PageAdapter = {
  request: (url) => ({
    method: 'POST',
    path: '/v2/scrape',
    body: { url, formats: ['markdown'], onlyMainContent: true },
  }),
  read(answer) {
    if (firecrawlFailure.Check(answer)) return 'unreadable';
    if (!firecrawlAnswer.Check(answer)) return undefined;
    const { markdown, metadata = {} } = answer.data;
    const { statusCode: status } = metadata;
    // The engine takes the error page of a server for a page.
    if (typeof status === 'number' && status >= firstErrorStatus) return 'unreadable';
    return { url: metadata.url, title: metadata.title, content: markdown };
  },
};

/** A row for each engine. */
export const pageAdapters: Readonly<Record<PageEngineName, PageAdapter>> = {
  exa,
  parallel,
  firecrawl,
};
