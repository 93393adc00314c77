/** Every bound of the public HTTP side. Rates are per minute and per gateway process. */
export interface GatewaySettings {
  /** Per key, on inference routes; per address where no key is sent. */
  readonly inferenceRequestsPerMinute: number;
  /** Per key, on `/keys` and `/keys/{hash}`. */
  readonly keyRequestsPerMinute: number;
  /** Per key, on every other route. */
  readonly managementRequestsPerMinute: number;
  /** Per account, on `POST /analytics/query`. */
  readonly analyticsQueriesPerMinute: number;
  /** Refused credentials per client address; after that they are answered with 429. */
  readonly authFailuresPerMinute: number;
  /** Bounds the age of the last answer about a key that is used while there is no newer one. */
  readonly lastKnownMsMax: number;
  /** Open inference requests of one account. */
  readonly inferenceOpenMax: number;
  /** Inference requests that wait for their turn; of one key, half as many. */
  readonly inferenceWaitingMax: number;
  readonly inferenceBodyBytesMax: number;
  readonly managementBodyBytesMax: number;
  /** Bytes of the large bodies of all open requests. Parsing them takes several times as much memory. */
  readonly bodiesBytesMax: number;
  readonly headersTimeoutMs: number;
  /** A whole request, body included, must have arrived within this time. */
  readonly requestTimeoutMs: number;
  /** An uploaded file must have arrived within this time. */
  readonly uploadTimeoutMs: number;
  /** A connection without traffic; does not count while a model is being waited for. */
  readonly connectionIdleTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  /** The time in which a client must read some of a reply that waits for it. */
  readonly readerStalledTimeoutMs: number;
  readonly connectionsMax: number;
  readonly requestsPerConnectionMax: number;
  /** The time that open replies have to end while the gateway stops. */
  readonly drainTimeoutMs: number;
  /** Reverse proxies whose `X-Forwarded-For` is believed: addresses or CIDR ranges. */
  readonly trustedProxies: readonly string[];
  /** Origins whose pages may call the inference routes; `*`: every page. */
  readonly corsOrigins: readonly string[];
}

const mebibyte = 1024 * 1024;

export const defaultSettings: GatewaySettings = {
  inferenceRequestsPerMinute: 600,
  keyRequestsPerMinute: 300,
  managementRequestsPerMinute: 600,
  analyticsQueriesPerMinute: 64,
  authFailuresPerMinute: 20,
  lastKnownMsMax: 3_600_000,
  inferenceOpenMax: 200,
  inferenceWaitingMax: 2_000,
  inferenceBodyBytesMax: 32 * mebibyte,
  managementBodyBytesMax: mebibyte,
  bodiesBytesMax: 256 * mebibyte,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  uploadTimeoutMs: 1_800_000,
  connectionIdleTimeoutMs: 60_000,
  keepAliveTimeoutMs: 72_000,
  readerStalledTimeoutMs: 60_000,
  connectionsMax: 10_000,
  requestsPerConnectionMax: 10_000,
  drainTimeoutMs: 5_000,
  trustedProxies: [],
  corsOrigins: [],
};
