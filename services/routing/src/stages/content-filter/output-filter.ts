import { isLast, type LastPart, type StreamPart } from '@sluice/inference';
import {
  type Buffering,
  type Release,
  type ReleaseOptions,
  type ScanFailure,
  type ScannedTexts,
  TextRelease,
} from '@sluice/content-scanner';
import { Fault } from '@sluice/errors';
import type { OutputReport, OutputStage } from '../stage.ts';
import { type DeltaPart, isDelta, mergeDeltas } from './merge-deltas.ts';
import { rewriteValue } from './request-texts.ts';
import type { GroupOutcome } from './unscanned.ts';

/** The outcome of the scan of a text of an answer. */
export interface OutputFinding {
  readonly place: string;
  readonly outcome: GroupOutcome;
}

export interface OutputFilterOptions extends Pick<
  ReleaseOptions,
  'hold' | 'scan' | 'isBlocking' | 'blocks'
> {
  readonly buffering: Buffering;
  /** The client asked for text that is JSON. */
  readonly isTextJson: boolean;
  /** Receives the failure of each text that was not scanned. */
  readonly onUnscanned: (failure: ScanFailure) => void;
  readonly report: (findings: readonly OutputFinding[], isBlocked: boolean) => OutputReport;
}

interface OpenText {
  readonly release: TextRelease;
  /** The last delta: what is left leaves as another one. */
  last: DeltaPart;
}

type TextAnnotation = Extract<StreamPart, { type: 'text-annotation' }>;

const findingsMax = 10_000;

/**
 * Applies content filters to an answer part by part. A text leaves when no filter can find anything more in it; the
 * arguments of a tool call leave whole. From a blocked text on, nothing leaves but the end.
 */
export class OutputFilter implements OutputStage {
  readonly #options: OutputFilterOptions;
  readonly #texts = new Map<string, OpenText>();
  readonly #customCalls = new Set<number>();
  readonly #annotations = new Map<number, TextAnnotation[]>();
  /** Thoughts with a text that was changed: their encrypted form repeats it. */
  readonly #changed = new Set<number>();
  readonly #findings: OutputFinding[] = [];
  #isBlocked = false;
  /** Set when no thread was free for a text. */
  #overload: Fault | undefined;

  constructor(options: OutputFilterOptions) {
    this.#options = options;
  }

  async parts(parts: readonly StreamPart[]): Promise<readonly StreamPart[]> {
    const left: StreamPart[] = [];
    for (const part of mergeDeltas(parts)) {
      try {
        if (!this.#isBlocked) left.push(...(await this.#partsOf(part)));
      } catch (error) {
        // The cause may have the text: it is neither logged nor sent. Books go on without it.
        if (error instanceof Fault && error.code === 'overloaded') this.#overload = error;
        else this.#note('output', 'broken');
        this.#isBlocked = true;
      }
      if (isLast(part)) left.push(this.#endOf(part));
    }
    return left;
  }

  /** An answer that nobody could read because others had the threads failed: no filter has blocked it. */
  #endOf(part: LastPart): StreamPart {
    if (!this.#isBlocked) return part;
    if (!this.#overload) return blockedEnd(part);
    const { code, message } = this.#overload;
    return { type: 'error', code, message, providerCode: undefined, usage: part.usage };
  }

  report(): OutputReport {
    return this.#options.report(this.#findings, this.#isBlocked);
  }

  /** Returns what leaves with a part. The last part itself is not among it. */
  async #partsOf(part: StreamPart): Promise<readonly StreamPart[]> {
    if (isDelta(part)) return this.#grow(part);
    if (isLast(part)) return this.#closeAll();
    switch (part.type) {
      case 'text-annotation': {
        const waiting = this.#annotations.get(part.part) ?? [];
        this.#annotations.set(part.part, [...waiting, part]);
        return [];
      }
      case 'tool-call-start':
        if (part.isCustom) this.#customCalls.add(part.part);
        return [part];
      case 'text-end':
      case 'refusal-end':
      case 'tool-call-end':
        return this.#followedBy(await this.#close(part.part), part);
      case 'reasoning-end':
        return this.#followedBy(await this.#close(part.part), this.#withoutReplay(part));
      // The filter has read the deltas alone, so they stay.
      case 'correction':
        return [{ type: part.type, part: part.part, difference: part.difference }];
      case 'native-start':
      case 'native-end':
        return this.#native(part);
      case 'response-start':
      case 'text-start':
      case 'refusal-start':
      case 'reasoning-start':
      case 'image':
      case 'embeddings':
      case 'ranks':
      case 'unread-usage':
        return [part];
    }
  }

  async #grow(part: DeltaPart): Promise<readonly StreamPart[]> {
    const summary = part.type === 'reasoning-summary-delta' ? part.summary : undefined;
    const key = keyOf(part.part, summary);
    // Summaries come one after the other: a new one ends the one before.
    const ended = summary === undefined ? [] : await this.#closeBefore(part.part, summary);
    let open = this.#texts.get(key);
    if (!open) {
      open = { release: this.#open(part), last: part };
      this.#texts.set(key, open);
    }
    open.last = part;
    const release = await open.release.push(part.delta);
    return [...ended, ...this.#left(part, release)];
  }

  #open(part: DeltaPart): TextRelease {
    const { isTextJson, buffering, hold, scan, isBlocking, blocks } = this.#options;
    const isCall = part.type === 'tool-call-delta';
    const isJson = isCall
      ? !this.#customCalls.has(part.part)
      : part.type === 'text-delta' && isTextJson;
    return new TextRelease({
      hold,
      isBlocking,
      blocks,
      scan,
      // A client does nothing with half a call, and JSON is read as a whole.
      buffering: isCall || isJson ? 'end' : buffering,
      form: isJson ? 'json' : 'text',
    });
  }

  async #closeBefore(part: number, summary: number): Promise<readonly StreamPart[]> {
    const left: StreamPart[] = [];
    for (const [key, { last }] of this.#texts)
      if (last.part === part && last.type === 'reasoning-summary-delta' && last.summary < summary)
        left.push(...(await this.#closeText(key)));
    return left;
  }

  /** Releases the rest of a part, and its annotations. */
  async #close(part: number): Promise<readonly StreamPart[]> {
    const left: StreamPart[] = [];
    const annotations = this.#annotations.get(part) ?? [];
    const release = this.#texts.get(keyOf(part))?.release;
    for (const key of [...this.#texts.keys()].filter((one) => isKeyOf(one, part)))
      left.push(...(await this.#closeText(key)));
    this.#annotations.delete(part);
    for (const waiting of annotations) left.push(...(await this.#annotation(waiting, release)));
    return left;
  }

  async #closeAll(): Promise<readonly StreamPart[]> {
    const left: StreamPart[] = [];
    for (const [, { last }] of this.#texts) left.push(...(await this.#close(last.part)));
    for (const part of this.#annotations.keys()) left.push(...(await this.#close(part)));
    return left;
  }

  async #closeText(key: string): Promise<readonly StreamPart[]> {
    const open = this.#texts.get(key);
    this.#texts.delete(key);
    if (!open || this.#isBlocked) return [];
    const left = this.#left(open.last, await open.release.end());
    if (open.release.isChanged) this.#changed.add(open.last.part);
    return left;
  }

  #left(part: DeltaPart, { text, detections, isBlocked, failure }: Release): readonly StreamPart[] {
    const place = `output.${part.part}`;
    if (detections.length > 0) this.#note(place, { detections, redactions: [], isCut: false });
    if (failure) this.#note(place, failure);
    if (isBlocked) this.#isBlocked = true;
    if (text === '') return [];
    // Log probabilities have the text in tokens.
    if (part.type === 'text-delta') return [{ type: part.type, part: part.part, delta: text }];
    return [{ ...part, delta: text }];
  }

  #note(place: string, outcome: GroupOutcome): void {
    if (typeof outcome === 'string') this.#options.onUnscanned(outcome);
    if (this.#findings.length < findingsMax) this.#findings.push({ place, outcome });
  }

  #followedBy(left: readonly StreamPart[], part: StreamPart): readonly StreamPart[] {
    return this.#isBlocked ? left : [...left, part];
  }

  #withoutReplay(part: Extract<StreamPart, { type: 'reasoning-end' }>): StreamPart {
    return this.#changed.has(part.part) ? { type: part.type, part: part.part } : part;
  }

  async #annotation(
    part: TextAnnotation,
    release: TextRelease | undefined,
  ): Promise<readonly StreamPart[]> {
    const { annotation: told, citation: cited } = part;
    const rewritten = await this.#rewritten({ told, cited }, part.part);
    if (!rewritten) return [];
    const { told: annotation, cited: citation } = rewritten;
    const moved = Object.fromEntries(
      ['start_index', 'end_index'].flatMap((name) => {
        const place = annotation[name];
        return typeof place === 'number' && release ? [[name, release.placeOf(place)]] : [];
      }),
    );
    const { type, part: number } = part;
    return [
      {
        type,
        part: number,
        annotation: { ...annotation, ...moved },
        ...(citation && { citation }),
      },
    ];
  }

  async #native(
    part: Extract<StreamPart, { type: 'native-start' | 'native-end' }>,
  ): Promise<readonly StreamPart[]> {
    const item = await this.#rewritten(part.item, part.part);
    return item ? [{ ...part, item }] : [];
  }

  /** Returns a value with all its texts redacted; undefined: it is blocked. Equal texts are scanned once. */
  async #rewritten<Value extends object>(value: Value, part: number): Promise<Value | undefined> {
    const texts = new Map<string, ScannedTexts>();
    rewriteValue(value, '', (text, form) => {
      texts.set(textKey(text, form), { texts: [text], form });
      return text;
    });
    const { hold, scan, isBlocking, blocks } = this.#options;
    const changed = new Map<string, string>();
    for (const [
      key,
      {
        texts: [text = ''],
        form,
      },
    ] of texts) {
      const release = new TextRelease({ hold, scan, isBlocking, blocks, form, buffering: 'end' });
      await release.push(text);
      const { text: left, detections, isBlocked, failure } = await release.end();
      if (detections.length > 0)
        this.#note(`output.${part}`, { detections, redactions: [], isCut: false });
      if (failure) this.#note(`output.${part}`, failure);
      if (isBlocked) this.#isBlocked = true;
      changed.set(key, left);
    }
    if (this.#isBlocked) return undefined;
    return rewriteValue(value, '', (text, form) => changed.get(textKey(text, form)) ?? '') as Value;
  }
}

function textKey(text: string, form: ScannedTexts['form']): string {
  return `${form} ${text}`;
}

function keyOf(part: number, summary?: number): string {
  return summary === undefined ? `${part}` : `${part}.${summary}`;
}

function isKeyOf(key: string, part: number): boolean {
  return key === `${part}` || key.startsWith(`${part}.`);
}

/** The upstream was read to its end: its usage stays. */
function blockedEnd(part: LastPart): StreamPart {
  const { usage } = part;
  if (part.type === 'finish') return { ...part, reason: 'content-filter' };
  return { type: 'finish', reason: 'content-filter', nativeReason: undefined, usage };
}
