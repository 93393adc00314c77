import { closeToOthers, makePrivateDirectory } from '@sluice/private-files';
import { elementAt } from '../element-at.ts';
import { AppendLog } from '../log/append-log.ts';
import { lockDirectory, type DirectoryLock } from '../log/directory-lock.ts';
import {
  checkedRecordAt,
  encodeAppend,
  encodeMark,
  type FrameSummary,
  type ProposedEvent,
} from '../log/frame.ts';
import { markProblemSentence, recoverySentence, type Recovery } from '../log/lost-events.ts';
import type { Append, AppendOutcome, OnItsWay } from './append-outcome.ts';
import type { EventLogStoreOptions } from './event-log-store-options.ts';
import { EventIndex, lastRevisionOf, type StreamEntry } from './event-index.ts';
import { decideAppend, type Decision, type ExpectedRevision } from './expected-revision.ts';
import { PendingWrites } from './pending-writes.ts';
import { RecentIds } from './recent-ids.ts';
import { RecordReader } from './record-reader.ts';
import {
  isMetastream,
  metastreamOf,
  originalOf,
  parseMetadata,
  softDeletedJson,
} from './stream-metadata.ts';
import { systemEvent } from './system-event.ts';
import { Watch } from './watch.ts';

/** The log, its index and the rules between them. One writer: this process. */
export class EventLogStore {
  readonly index = new EventIndex();
  readonly reader: RecordReader;
  readonly watch = new Watch();
  readonly nowMs: () => number;
  readonly #options: EventLogStoreOptions;
  readonly #recentIds: RecentIds;
  readonly #pending = new PendingWrites();
  readonly #lock: DirectoryLock;
  #log: AppendLog | undefined;
  #createdMs = 0;
  #appends = 0;
  #closing: Promise<void> | undefined;

  private constructor(options: EventLogStoreOptions, lock: DirectoryLock) {
    this.#options = options;
    this.#lock = lock;
    this.nowMs = options.nowMs;
    this.#recentIds = new RecentIds(options.recentIdsMax);
    this.reader = new RecordReader(options);
  }

  /** Throws DirectoryInUse, DamagedLog, LostEvents. */
  static async open(options: EventLogStoreOptions): Promise<EventLogStore> {
    await makePrivateDirectory(options.directory);
    const lock = lockDirectory(options.directory);
    try {
      await closeToOthers(options.directory);
      const store = new EventLogStore(options, lock);
      store.#log = await AppendLog.open({
        directory: options.directory,
        segmentBytesMax: options.segmentBytesMax,
        gates: options.gates,
        acceptLoss: options.acceptLoss,
        onMarkProblem: (error) => options.report(markProblemSentence(options.directory, error)),
        visit: (position, summary, bytes) => store.#recall(position, summary, bytes),
        onSegment: (base) => store.reader.addSegment(base),
        listener: {
          durable: (count) => store.#durable(count),
          undone: (error) => store.#undone(error),
          fatal: (error) => store.#fatal(error),
        },
      });
      store.#durable(store.index.count);
      const sentence = recoverySentence(options.directory, store.recovery);
      if (sentence !== undefined) options.report(sentence);
      return store;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** Decided at once, in the order of the calls; answers when it is durable. */
  async append({ stream: name, expected, events }: Append): Promise<AppendOutcome | OnItsWay> {
    const ids = events.map(({ id }) => id);
    const decision = this.#decide(name, expected, ids);
    if (decision.kind === 'written_before') return await this.#writtenBefore(name, decision);
    if (decision.kind !== 'write') return await this.#refused(decision, name);
    const stream = this.index.stream(name);
    if (events.length === 0) return await this.#nothingWritten(stream);
    if (stream?.metadata.softDeleted) this.#revive(stream);
    const original = isMetastream(name) ? this.index.stream(originalOf(name)) : undefined;
    const wasDeleted = original?.metadata.softDeleted === true;
    const lastOrdinal = this.#write('append', name, events);
    if (wasDeleted && !original.metadata.softDeleted) this.#revive(original);
    this.#makeNoise();
    return await this.#written(lastOrdinal);
  }

  /** For ever: the name is not usable again. */
  async tombstone(name: string, expected: ExpectedRevision): Promise<AppendOutcome> {
    const decision = this.#decide(name, expected, []);
    if (decision.kind !== 'write') return await this.#refused(decision, name);
    const event = { ...systemEvent('$streamDeleted', ''), json: false };
    return await this.#written(this.#write('tombstone', name, [event]));
  }

  /** Hides all events until something is appended; all metadata of the stream is replaced. */
  async softDelete(name: string, expected: ExpectedRevision): Promise<AppendOutcome> {
    const metastream = metastreamOf(name);
    const decision = this.#decide(name, expected, []);
    if (decision.kind !== 'write') return await this.#refused(decision, name);
    if (!this.#hasEvents(name) && !this.#hasEvents(metastream))
      return { kind: 'wrong_expected_version', currentRevision: undefined };
    const event = systemEvent('$metadata', softDeletedJson);
    return await this.#written(this.#write('append', metastream, [event]));
  }

  /** The state in which the log was found at the start. */
  get recovery(): Recovery {
    return this.#opened.recovery;
  }

  /** Why no append is taken any more, if so. */
  get failure(): Error | undefined {
    return this.#log?.failure;
  }

  /** The first position that no durable event can have. */
  get endPosition(): number {
    return this.#opened.durablePosition;
  }

  /** Closes the store after all queued events are written. A second call waits for the first. */
  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  get #opened(): AppendLog {
    if (!this.#log) throw new Error('The event store is not open');
    return this.#log;
  }

  async #close(): Promise<void> {
    await this.#log?.close();
    await this.reader.close();
    this.#pending.reject(new Error('The event store is closed'));
    this.#lock.release();
    this.watch.wake();
  }

  #decide(name: string, expected: ExpectedRevision, ids: readonly Buffer[]): Decision {
    if (isMetastream(name) && this.index.stream(originalOf(name))?.tombstoneOrdinal !== undefined)
      return { kind: 'stream_deleted' };
    const stream = this.index.stream(name);
    const hasMetastream = this.#hasEvents(metastreamOf(name));
    return decideAppend(this.index, this.#recentIds, { stream, hasMetastream, expected, ids });
  }

  /** Waits for what stands in the way, so that the loser finds it when it reads the stream again. */
  async #refused(decision: Decision, name: string): Promise<AppendOutcome> {
    const stream = this.index.stream(name);
    const lastOrdinal = stream?.tombstoneOrdinal ?? stream?.ordinals.at(-1);
    if (lastOrdinal !== undefined) await this.#untilDurable(lastOrdinal);
    if (decision.kind === 'stream_deleted') return { kind: 'stream_deleted' };
    return { kind: 'wrong_expected_version', currentRevision: lastRevisionOf(stream) };
  }

  async #written(lastOrdinal: number): Promise<AppendOutcome & { kind: 'written' }> {
    const revision = this.index.revisionAt(lastOrdinal);
    const position = this.index.positionAt(lastOrdinal);
    await this.#untilDurable(lastOrdinal);
    return { kind: 'written', revision, position };
  }

  /** Gives the stream's revision as if it had been written, and a place at which no event lies. */
  async #nothingWritten(stream: StreamEntry | undefined): Promise<AppendOutcome> {
    const lastOrdinal = stream?.ordinals.at(-1);
    const revision = lastRevisionOf(stream);
    if (lastOrdinal !== undefined) await this.#untilDurable(lastOrdinal);
    return { kind: 'written', revision, position: this.endPosition };
  }

  /**
   * Answers as the first time, once that is durable. A real node does not know the position any more when the
   * stream was deleted since.
   */
  async #writtenBefore(
    name: string,
    { lastOrdinal }: Decision & { kind: 'written_before' },
  ): Promise<AppendOutcome | OnItsWay> {
    if (this.#options.silentDuplicates && lastOrdinal >= this.index.visible)
      return { kind: 'on_its_way' };
    const isDeleted = this.index.stream(name)?.metadata.softDeleted === true;
    const outcome = await this.#written(lastOrdinal);
    return isDeleted ? { ...outcome, position: undefined } : outcome;
  }

  async #untilDurable(ordinal: number): Promise<void> {
    if (ordinal >= this.index.visible) await this.#pending.wait(ordinal);
  }

  /** The stream goes on behind what was deleted; its other metadata stays. */
  #revive(stream: StreamEntry): void {
    const metadata = { ...stream.metadata.raw, $tb: stream.ordinals.length };
    this.#write('append', metastreamOf(stream.name), [
      systemEvent('$metadata', JSON.stringify(metadata)),
    ]);
  }

  /** Real nodes write statistics among everybody's events. */
  #makeNoise(): void {
    const { appendsPerSystemEvent } = this.#options.faults;
    this.#appends++;
    if (appendsPerSystemEvent === 0 || this.#appends % appendsPerSystemEvent !== 0) return;
    this.#write('append', '$stats-127.0.0.1:2113', [systemEvent('$statsCollected', '{}')]);
  }

  /** Queues it and makes it known to the next decision; the ordinal of the last event. */
  #write(kind: 'append' | 'tombstone', name: string, events: readonly ProposedEvent[]): number {
    const log = this.#opened;
    const firstRevision = this.index.stream(name)?.ordinals.length ?? 0;
    this.#createdMs = Math.max(this.#createdMs, this.#options.nowMs());
    const createdMs = this.#createdMs;
    const frame = encodeAppend({ kind, stream: name, firstRevision, createdMs, events });
    const firstOrdinal = this.index.count;
    if (this.#options.faults.positionGaps) log.enqueue(encodeMark().bytes, undefined);
    const position = log.enqueue(frame.bytes, firstOrdinal + events.length);
    const positions = frame.recordOffsets.map((offset) => position + offset);
    const indexed = events.map(({ id, type }, at) => ({
      id,
      type,
      position: elementAt(positions, at),
    }));
    const tombstone = kind === 'tombstone';
    const stream = this.index.add({ stream: name, tombstone, createdMs, events: indexed });
    for (const [at, { id }] of events.entries()) {
      this.#recentIds.add(stream.number, id, firstOrdinal + at);
      const record = frame.bytes.subarray(frame.recordOffsets[at], frame.recordOffsets[at + 1]);
      this.reader.remember(elementAt(positions, at), record);
    }
    const last = events.at(-1);
    if (last) this.#learn(name, last.data, firstOrdinal + events.length - 1);
    return firstOrdinal + events.length - 1;
  }

  /** An event of a metastream changes how its stream is read. */
  #learn(name: string, data: Buffer, ordinal: number): void {
    if (!isMetastream(name)) return;
    const stream = this.index.entry(originalOf(name));
    this.#pending.changeMetadata({ ordinal, stream, metadata: parseMetadata(data) });
  }

  /** A frame of the log on disk, at start. */
  #recall(position: number, summary: FrameSummary, bytes: Buffer): void {
    const { stream, createdMs } = summary;
    const known = this.index.stream(stream)?.ordinals.length ?? 0;
    if (summary.firstRevision !== known)
      throw new RangeError(`it does not follow on revision ${known - 1} of ${stream}`);
    const events = summary.recordOffsets.map((offset) => {
      const { id, type, data } = checkedRecordAt(bytes, offset);
      return { id, type, data, position: position + offset };
    });
    const tombstone = summary.kind === 'tombstone';
    this.#createdMs = Math.max(this.#createdMs, createdMs);
    this.index.add({ stream, tombstone, createdMs, events });
    const last = events.at(-1);
    if (last) this.#learn(stream, last.data, this.index.count - 1);
  }

  #hasEvents(name: string): boolean {
    return (this.index.stream(name)?.ordinals.length ?? 0) > 0;
  }

  #durable(count: number): void {
    this.index.visible = count;
    this.#pending.durable(count);
    this.watch.wake();
  }

  #undone(error: Error): void {
    const { visible } = this.index;
    this.reader.forgetFrom(this.endPosition);
    this.#recentIds.forgetFrom(visible);
    this.index.truncateToVisible();
    this.#pending.reject(error);
  }

  #fatal(error: Error): void {
    this.#pending.reject(error);
    this.#options.onFatal(error);
  }
}
