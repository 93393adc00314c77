import type { Door } from './door.ts';

/** Something that takes requests and answers them from the upstream. */
export interface Subject {
  readonly name: SubjectName;
  readonly port: number;
  readonly path: string;
  readonly door: Door;
  readonly model: string;
  readonly headers: Readonly<Record<string, string>>;
  /** URL and key of the management API; absent for a subject without one. */
  readonly management?: { readonly url: string; readonly key: string };
  /** URL of the subject's admin port; absent for a subject without one. */
  readonly adminUrl?: string;
  /** The admin ports of its other processes, which have metrics of their own. */
  readonly otherAdminUrls?: readonly string[];
  /** The folder of its data; absent for a subject that keeps none. */
  readonly dataDirectory?: string;
  /** Process ids of the subject and of its databases, brokers and other services. */
  pids(): Promise<SubjectPids>;
  stop(): Promise<void>;
}

export interface SubjectPids {
  readonly measured: readonly number[];
  readonly others: readonly number[];
}

/** In the order of the report. */
export const subjectNames = [
  'direct',
  'bare',
  'portkey',
  'floor',
  'sluice',
  'sluice-chat',
  'sluice-messages',
  'sluice-embeddings',
  'sluice-strict',
  'sluice-before',
  'sluice-two',
] as const;
export type SubjectName = (typeof subjectNames)[number];

/**
 * The subjects that are compared by default. `strict` waits for more than the default settings. The guard measures the
 * other doors.
 */
export const usualNames: readonly SubjectName[] = [
  'direct',
  'bare',
  'portkey',
  'sluice',
  'sluice-two',
];
