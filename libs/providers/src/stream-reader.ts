import type { StreamPart, TokenUsage } from '@sluice/inference';
import { errorObject, declaresFailure } from './error-object.ts';
import { asArray, asObject, parseJson, type JsonObject } from './json-reader.ts';
import { openAiErrorWord } from './openai-error.ts';
import { StrayEvents } from './stray-events.ts';

/** Reads the server-sent events of a stream one after the other. */
export interface StreamReader {
  /** Reads the `data` of an event, and its name if it has one. */
  readonly push: (data: string, name?: string) => readonly StreamPart[];
  /** Reads a line that belongs to no event. */
  readonly line: (text: string) => readonly StreamPart[];
  /** Handles the end of the body. Returns `finish` or `error` if the stream lacks it. */
  readonly end: () => readonly StreamPart[];
}

/** The result of an event: the next state and its parts. */
export type Step<State> = readonly [State, readonly StreamPart[]];

/** The pure functions that read the streams of one dialect. */
export interface StreamMachine<State, Event> {
  readonly initial: State;
  /** Parses the JSON text of an event. */
  readonly parse: (text: string) => unknown;
  /** Returns true if a JSON object is an event of the dialect. Any other object is a stray one. */
  readonly isEvent: (body: JsonObject) => boolean;
  readonly read: (body: JsonObject) => Event;
  /** The event for JSON that is broken, because its content is lost. */
  readonly malformed: Event;
  readonly step: (state: State, event: Event) => Step<State>;
  /** Handles `[DONE]`. Absent: the streams of the dialect end without it. */
  readonly done?: (state: State) => Step<State>;
  readonly end: (state: State) => Step<State>;
  /** Returns the usage that was reported so far. */
  readonly usage: (state: State) => TokenUsage | undefined;
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

const none: readonly StreamPart[] = [];
const openingBrace = 0x7b;
const doneMark = '[DONE]';

/**
 * Drives the step function of a dialect over a stream. An event without data is no event. An event that is none of the
 * dialect is skipped and passed to `onStray`, but an answer without a finish reason then fails with its meaning.
 */
export class MachineReader<State, Event> implements StreamReader {
  readonly #machine: StreamMachine<State, Event>;
  readonly #onStray: (() => void) | undefined;
  #state: State;
  #hasEnded = false;
  #strays: StrayEvents | undefined;

  constructor(machine: StreamMachine<State, Event>, onStray?: () => void) {
    this.#machine = machine;
    this.#onStray = onStray;
    this.#state = machine.initial;
  }

  push(data: string, name?: string): readonly StreamPart[] {
    if (this.#hasEnded) return none;
    if (data.charCodeAt(0) === openingBrace) return this.#json(data, name);
    const text = data.trim();
    if (name === 'error') return this.#fail(errorObject(parseJson(text) ?? text));
    if (text === '' || text === 'null') return none;
    if (text === doneMark) return this.#done();
    if (text.startsWith('{')) return this.#json(text, name);
    return text.startsWith('[') ? this.#list(text) : this.#words(text);
  }

  /** A line of JSON is an event without `data:`. Other lines are the pieces of a body that is no stream. */
  line(text: string): readonly StreamPart[] {
    if (this.#hasEnded) return none;
    const body = asObject(this.#machine.parse(text));
    return body ? this.#object(body, undefined) : this.#stray(text);
  }

  end(): readonly StreamPart[] {
    return this.#hasEnded ? none : this.#advance(this.#machine.end(this.#state));
  }

  #json(text: string, name: string | undefined): readonly StreamPart[] {
    const body = asObject(this.#machine.parse(text));
    if (body) return this.#object(body, name);
    if (name === 'error') return this.#fail(errorObject(text));
    return this.#step(this.#machine.malformed);
  }

  #object(body: JsonObject, name: string | undefined): readonly StreamPart[] {
    const isEvent = this.#machine.isEvent(body);
    const parts = isEvent ? this.#step(this.#machine.read(body)) : none;
    if (this.#hasEnded) return parts;
    const hasError = name === 'error' || (!isEvent && isPresent(body['error']));
    if (hasError || declaresFailure(body)) return [...parts, ...this.#fail(errorObject(body))];
    return isEvent ? parts : this.#stray(JSON.stringify(body));
  }

  /** Reads a list, which is no event of any dialect. Gemini answers with a list of one error. */
  #list(text: string): readonly StreamPart[] {
    const [first] = asArray(parseJson(text)).map(asObject);
    return first && isPresent(first['error'])
      ? this.#object(first, 'error')
      : this.#step(this.#machine.malformed);
  }

  /** Reads a text that cannot be JSON: a keep-alive, or the words of a failure. */
  #words(text: string): readonly StreamPart[] {
    return /error/i.test(text) ? this.#fail(errorObject(text)) : this.#stray(text);
  }

  #stray(text: string): readonly StreamPart[] {
    this.#strays ??= new StrayEvents();
    this.#strays.add(text);
    this.#onStray?.();
    return none;
  }

  #done(): readonly StreamPart[] {
    const { done } = this.#machine;
    return done ? this.#advance(done(this.#state)) : none;
  }

  #step(event: Event): readonly StreamPart[] {
    return this.#advance(this.#machine.step(this.#state, event));
  }

  #advance([state, parts]: Step<State>): readonly StreamPart[] {
    this.#state = state;
    const last = parts.at(-1);
    if (last?.type !== 'finish' && last?.type !== 'error') return parts;
    this.#hasEnded = true;
    const failure = this.#strays?.failureOf(last);
    return failure ? [...parts.slice(0, -1), failure] : parts;
  }

  #fail(error: JsonObject): readonly StreamPart[] {
    this.#hasEnded = true;
    const usage = this.#machine.usage(this.#state);
    return [{ type: 'error', ...openAiErrorWord(error), usage }];
  }
}
