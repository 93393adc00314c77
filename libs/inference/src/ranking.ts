/** Asks for the relevance of documents to a query: the first item of the request. Each other item is a document. */
export interface RankingOptions {
  /** The most documents in the answer. undefined: all. */
  readonly topN: number | undefined;
}

/** The relevance of one document. */
export interface Rank {
  /** The place of the document in the request, from 0. */
  readonly index: number;
  /** Higher is more relevant. Scores of different models cannot be compared. */
  readonly score: number;
}
