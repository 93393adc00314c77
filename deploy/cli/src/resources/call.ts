/** One request to the management API, made from the words of a command. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below the base URL, with its arguments in place, percent-encoded. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** If undefined, the call has no body. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** A field of the body that is read from a file: secrets do not stand in a list of processes. */
  readonly file:
    | { readonly field: string; readonly path: string; readonly isSecret: boolean }
    | undefined;
  /** The columns of a list. Empty: every field is shown. */
  readonly columns: readonly string[];
  /** The field of one thing that is its list; absent: the answer is one, or has none. */
  readonly rows?: string;
  /** Words that may be beginnings of hashes of keys: whole ones take their place. */
  readonly hashes?: readonly string[];
  /** Which key the request presents; absent: the management key. */
  readonly key?: 'api';
  readonly json: boolean;
}
