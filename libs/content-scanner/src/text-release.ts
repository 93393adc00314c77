import type { Redaction } from '@sluice/content-filter';
import {
  type GroupDetection,
  type GroupVerdict,
  redactGroup,
  type ScannedTexts,
} from './scan-group.ts';
import type { ScanFailure } from './scan-job.ts';
import { sentenceEnd } from './sentence-ends.ts';

/** A growing text waits for its next characters, for the end of a sentence, or for its own end. */
export type Buffering = 'incremental' | 'sentence' | 'end';

/** Returns from where on a growing text can still become a match. The scan runs inline or in a thread. */
export interface StreamHold {
  readonly from: (text: string, released: number) => number | Promise<number>;
}

export interface ReleaseOptions {
  readonly hold: StreamHold;
  readonly buffering: Buffering;
  readonly form: ScannedTexts['form'];
  readonly scan: (text: ScannedTexts) => Promise<GroupVerdict | ScanFailure>;
  readonly isBlocking: (filter: number) => boolean;
  /** A text that could not be scanned: it may leave as it is, unless it is blocked. */
  readonly blocks: { readonly unscanned: boolean; readonly cut: boolean };
}

/** A piece of a text that may leave. */
export interface Release {
  readonly text: string;
  readonly detections: readonly GroupDetection[];
  /** A filter blocks the text behind the piece. No more of it is released. */
  readonly isBlocked: boolean;
  /** The reason why the piece was not scanned, or not for all entities. */
  readonly failure?: ScanFailure | undefined;
}

/** A name that ends so close to the end of a sentence may go on in the next one. */
const sentenceMarginCharacters = 3;
/** Filters see so much of what has left: words in front of a value say what it is. */
const contextCharactersMin = 512;
const contextCharactersMax = 8_192;
const pendingCharactersMax = 4_000_000;
/** A long pending text is looked at again when it has grown by this part: otherwise each delta would cost all of it. */
const longCharacters = 4_096;
const growthMin = 1 / 8;

/**
 * Releases a growing text with its redactions. All pieces together are the same however the text was cut into deltas,
 * and for incremental filters they are the redacted whole text.
 */
export class TextRelease {
  readonly #options: ReleaseOptions;
  /** Released characters that filters still see, and pending ones behind them. */
  #text = '';
  #released = 0;
  #sentenceStart = 0;
  /** The text up to here has been looked at. */
  #seen = 0;
  /** Characters that have left and are no longer kept. */
  #dropped = 0;
  #isBlocked = false;
  readonly #redactions: Redaction[] = [];

  constructor(options: ReleaseOptions) {
    this.#options = options;
  }

  async push(delta: string): Promise<Release> {
    if (this.#isBlocked) return nothing;
    this.#text += delta;
    switch (this.#options.buffering) {
      case 'incremental':
        return this.#bounded(await this.#advance(this.#text.length, false));
      case 'sentence':
        return this.#bounded(await this.#advanceSentences());
      case 'end':
        return this.#bounded(nothing);
    }
  }

  /** Releases the rest. Called once, at the end of the text. */
  async end(): Promise<Release> {
    if (this.#isBlocked) return nothing;
    const { length } = this.#text;
    return await this.#advance(length, true);
  }

  /** True if what left is not the text itself. */
  get isChanged(): boolean {
    return this.#redactions.length > 0;
  }

  /** Returns the place in the released text of a place in the text itself. */
  placeOf(place: number): number {
    let shift = 0;
    for (const { start, end, placeholder } of this.#redactions) {
      if (end <= place) shift += placeholder.length - (end - start);
      else if (start < place) return start + shift;
      else break;
    }
    return place + shift;
  }

  async #advanceSentences(): Promise<Release> {
    const released: Release[] = [];
    for (
      let end = sentenceEnd(this.#text, this.#sentenceStart);
      end !== undefined && !this.#isBlocked;
      end = sentenceEnd(this.#text, this.#sentenceStart)
    ) {
      this.#sentenceStart = end;
      released.push(await this.#advance(end, false));
    }
    return joined(released);
  }

  /** Releases what no later text can change, of the text up to a place. */
  async #advance(visible: number, isFinal: boolean): Promise<Release> {
    if (!isFinal && this.#isHardlyGrown(visible)) return nothing;
    this.#seen = visible;
    const text = this.#text.slice(0, visible);
    const from = this.#released;
    let limit = isFinal ? visible : Math.max(from, await this.#options.hold.from(text, from));
    if (!isFinal && isHighSurrogate(text.charCodeAt(limit - 1))) limit--;
    if (limit <= from) return nothing;
    const verdict = await this.#options.scan({ texts: [text], form: this.#options.form });
    if (typeof verdict === 'string') return this.#unscanned(text, limit, verdict);
    if (verdict.isCut && this.#options.blocks.cut) return this.#blockedBy('late');
    if (!isFinal) {
      const margin = this.#options.buffering === 'sentence' ? sentenceMarginCharacters : 1;
      limit = beforeGrowing(verdict, { from, limit, growsFrom: visible - margin });
    }
    const detections = verdict.detections.filter(({ end }) => end > from && end <= limit);
    const blocking = detections.find(({ filter }) => this.#options.isBlocking(filter));
    this.#isBlocked = blocking !== undefined;
    if (blocking) limit = Math.max(from, this.#options.form === 'json' ? from : blocking.start);
    const redactions = within(verdict.redactions, from, limit);
    const released = this.#leave(text, limit, redactions);
    const failure = verdict.isCut ? 'late' : undefined;
    return { text: released, detections, isBlocked: this.#isBlocked, failure };
  }

  #isHardlyGrown(visible: number): boolean {
    const pending = visible - this.#released;
    return pending > longCharacters && visible - this.#seen < pending * growthMin;
  }

  #leave(text: string, limit: number, redactions: readonly Redaction[]): string {
    const from = this.#released;
    const moved = redactions.map(({ start, end, placeholder }) => ({
      start: start - from,
      end: end - from,
      placeholder,
    }));
    const { form } = this.#options;
    const [released = ''] =
      limit <= from
        ? ['']
        : redactGroup({ texts: [text.slice(from, limit)], form }, { redactions: moved });
    for (const { start, end, placeholder } of redactions)
      this.#redactions.push({
        start: start + this.#dropped,
        end: end + this.#dropped,
        placeholder,
      });
    this.#released = Math.max(from, limit);
    this.#dropContext();
    return released;
  }

  #unscanned(text: string, limit: number, failure: ScanFailure): Release {
    if (this.#options.blocks.unscanned) return this.#blockedBy(failure);
    return { ...nothing, text: this.#leave(text, limit, []), failure };
  }

  #blockedBy(failure: ScanFailure): Release {
    this.#isBlocked = true;
    return { ...nothing, isBlocked: true, failure };
  }

  #bounded(release: Release): Release {
    if (this.#isBlocked || this.#text.length - this.#released <= pendingCharactersMax)
      return release;
    return joined([release, this.#unscanned(this.#text, this.#text.length, 'late')]);
  }

  /** Cuts the context between two words, where no number or name is in progress. */
  #dropContext(): void {
    const cuttable = this.#released - contextCharactersMin;
    if (cuttable < contextCharactersMin) return;
    let cut = this.#text.lastIndexOf('\n', cuttable) + 1;
    for (let blank = cuttable; cut === 0 && blank > 0;) {
      blank = this.#text.lastIndexOf(' ', blank - 1);
      if (blank > 0 && /^[^\d\s] [^\d\s]$/u.test(this.#text.slice(blank - 1, blank + 2)))
        cut = blank;
    }
    if (cut <= 0 && this.#released <= contextCharactersMax) return;
    if (cut <= 0) cut = cuttable;
    this.#text = this.#text.slice(cut);
    this.#released -= cut;
    this.#sentenceStart -= cut;
    this.#seen -= cut;
    this.#dropped += cut;
  }
}

const nothing: Release = { text: '', detections: [], isBlocked: false };

function joined(releases: readonly Release[]): Release {
  const [only = nothing] = releases;
  if (releases.length < 2) return only;
  return {
    text: releases.map(({ text }) => text).join(''),
    detections: releases.flatMap(({ detections }) => detections),
    isBlocked: releases.some(({ isBlocked }) => isBlocked),
    failure: releases.find(({ failure }) => failure)?.failure,
  };
}

interface Places {
  readonly from: number;
  readonly limit: number;
  /** A match that ends behind it may still grow. */
  readonly growsFrom: number;
}

/**
 * Returns the limit before all matches that reach over it, or to the end of what is visible. A redaction may be of
 * several matches, of which one alone is reported.
 */
function beforeGrowing(
  { detections, redactions }: Pick<GroupVerdict, 'detections' | 'redactions'>,
  { from, limit, growsFrom }: Places,
): number {
  let place = limit;
  const places = [...detections, ...redactions].toSorted((one, other) => other.start - one.start);
  // From the last to the first: each that is held may hold one before it.
  for (const { start, end } of places)
    if (start < place && (end > place || end > growsFrom)) place = start;
  return Math.max(from, place);
}

/** Returns the redactions in a part of a text, cut to it. */
function within(
  redactions: readonly Redaction[],
  from: number,
  limit: number,
): readonly Redaction[] {
  return redactions.flatMap(({ start, end, placeholder }) =>
    end <= from || start >= limit
      ? []
      : [{ start: Math.max(start, from), end: Math.min(end, limit), placeholder }],
  );
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
