/** Labels of a usage fact. An empty text: there is none. */
export interface UsageLabels {
  /** A UUID: the same provider, model and name of the model there. */
  readonly endpointId: string;
  /** The user that made the key. */
  readonly userId: string;
  /** The client's name of its user. */
  readonly externalUser: string;
  readonly sessionId: string;
  readonly httpReferer: string;
  readonly userAgent: string;
  /** The name of the application. */
  readonly appTitle: string;
  /** The application: as it names itself, or else a well-known one, or else the origin of its page. */
  readonly app: string;
  readonly appCategories: readonly string[];
  /** Filters of guardrails found content in the request. */
  readonly guardrailInvoked: boolean;
  /** Milliseconds that the moderation of the input took; undefined: it was not moderated. */
  readonly moderationLatencyMs: number | undefined;
  /** The kind of the call. Empty: an answer. */
  readonly apiType: '' | 'embeddings' | 'rerank' | 'tool';
  /** The type of the server tool that was called. Empty: a model was called. */
  readonly toolType: string;
  /** The generation whose answer was repeated. Empty: the answer is new. */
  readonly responseCacheSourceId: string;
  /** JSON of an object: what the client wants to find with it. */
  readonly trace: string;
  /** The region in which the endpoint keeps data. Absent: global. */
  readonly dataRegion?: 'europe' | 'us' | undefined;
  /** The end of the response is reported to the observer. Absent: nothing wants to know it. */
  readonly hasEnd?: true;
}
