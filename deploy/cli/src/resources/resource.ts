/** A thing of the API and what can be done to it: one operation of the API is one command. */
export interface Resource {
  /** `keys`, or `workspaces members` for a group inside a group. */
  readonly words: string;
  readonly does: string;
  readonly operations: readonly Operation[];
}

export interface Operation {
  readonly name: string;
  readonly does: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below the base URL; each `{name}` is an argument of the command, and so is `{+name}`, with its slashes. */
  readonly path: string;
  /** The group alone means this one. */
  readonly isDefault?: true;
  /** A last argument that may be repeated: a field of the body. */
  readonly rest?: { readonly name: string; readonly field: string };
  readonly options?: readonly ResourceOption[];
  /** The columns of a list that a human is shown. */
  readonly columns?: readonly string[];
  /** Which key it takes; absent: the management key. */
  readonly key?: 'api';
  /** The field of one thing that is the list. */
  readonly rows?: string;
}

/**
 * Names the form of a value: `usd` and `number` are numbers, `list` and `hashes` are separated by commas, `json` is
 * JSON, `hash` is that of a key, or a beginning of it, `secret` and `file` name a file that holds it (`-`: what is
 * typed or piped in). Where it may be cleared, `none` is null.
 */
export type ValueKind =
  | 'text'
  | 'number'
  | 'usd'
  | 'boolean'
  | 'list'
  | 'json'
  | 'hash'
  | 'hashes'
  | 'secret'
  | 'file';

export interface ResourceOption {
  /** `--limit-reset <interval>` */
  readonly flags: string;
  /** The field of the body, or of the query of a GET and DELETE. */
  readonly field: string;
  readonly as: ValueKind;
  readonly does: string;
  readonly required?: true;
  readonly nullable?: true;
}

export const paging: readonly ResourceOption[] = [
  { flags: '--offset <count>', field: 'offset', as: 'text', does: 'leave out so many' },
  { flags: '--limit <count>', field: 'limit', as: 'text', does: 'at most so many' },
];
