/** Something that takes requests of the responses dialect and answers them from the upstream. */
export interface Subject {
  readonly name: SubjectName;
  readonly port: number;
  readonly path: string;
  readonly model: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Where it is managed, and with which key; absent where there is nothing to manage. */
  readonly management?: { readonly url: string; readonly key: string };
  /** Of the admin port of what is measured; absent where there is none. */
  readonly adminUrl?: string;
  /** What is measured, and what else works for it: databases, brokers, other services. */
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
  'sluice',
  'sluice-fast',
  'sluice-before',
  'sluice-two',
] as const;
export type SubjectName = (typeof subjectNames)[number];

/** Those that are compared when nothing else is said: `fast` promises less than what is on by itself. */
export const usualNames = subjectNames.filter(
  (name) => name !== 'sluice-fast' && name !== 'sluice-before',
);
