import type { SearchProblem } from '../search.ts';

/** Engines that read a page for others. Each of them searches, too, with the same key. */
export const pageEngineNames = ['exa', 'parallel', 'firecrawl'] as const;

export type PageEngineName = (typeof pageEngineNames)[number];

/** A page as an engine read it. */
export interface ReadPage {
  /** After redirects, if the engine says it. */
  readonly url: string;
  readonly title: string;
  /** Markdown. */
  readonly content: string;
}

export type PageProblem =
  | Exclude<SearchProblem, 'invalid_query' | 'invalid_domain' | 'too_many_domains'>
  /** The engine could not read the page. */
  | 'unreadable';

export type PageOutcome =
  | {
      readonly isRead: true;
      readonly page: ReadPage;
      /** The engine's id of the answer. */
      readonly upstreamId?: string;
    }
  | {
      readonly isRead: false;
      readonly problem: PageProblem;
      /** A sentence for the model, without words of the engine, which may repeat the key. */
      readonly message: string;
      /** True if the engine may bill the page all the same. */
      readonly mayBeBilled: boolean;
    };

export interface PageOptions {
  readonly signal: AbortSignal;
  /** Characters of the content. A longer one is cut. */
  readonly charactersMax: number;
  /** Sent as `x-client-request-id`. */
  readonly requestId?: string;
}

/** An engine that reads pages. A failure is an outcome, never a throw. */
export interface PageEngine {
  readonly name: PageEngineName;
  read(url: string, options: PageOptions): Promise<PageOutcome>;
}

/** The engines of a deployment that read pages. */
export interface PageEngines {
  /** Engines that the platform has a key of. */
  readonly names: readonly PageEngineName[];
  /** Opens an engine with a key of a customer, or of the platform. undefined: the platform has none. */
  open(name: PageEngineName, ownKey?: { reveal(): string }): PageEngine | undefined;
}
