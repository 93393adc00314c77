/** An event of a stream, or a chunk. */
export type Event = Readonly<Record<string, unknown>>;

/**
 * Values of an event by their paths, as `item.content.0`. `*` is any value, `-` is none or null, and a text between
 * slashes is a pattern. In a template, `$path` is the value of the chosen event.
 */
export type Match = Readonly<Record<string, unknown>>;

/** A change of a good stream that breaks one rule: a line of `mutations.jsonl`. */
export interface Mutation {
  readonly rule: string;
  readonly name: string;
  /** Which events may be changed. One of them is, unless `pick` says otherwise. */
  readonly at: Match;
  readonly pick?: 'last' | 'all';
  /** The stream has such an event. */
  readonly when?: Match;
  readonly unless?: Match;
  readonly drop?: true;
  /** The event stands before its changed copy, or twice where nothing is changed. */
  readonly repeat?: true;
  readonly replace?: Event;
  readonly set?: Match;
  readonly add?: Readonly<Record<string, number>>;
  /** Each of these that is a text gets one more character. */
  readonly extend?: readonly string[];
  readonly remove?: readonly string[];
  readonly before?: Event;
  readonly after?: Event;
  /** A copy of the event comes behind the first later one that matches. */
  readonly copyBehind?: Match;
  /** The sequence numbers are part of the change. */
  readonly keepsNumbers?: true;
}
