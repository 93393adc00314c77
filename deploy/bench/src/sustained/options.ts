import type { Surroundings } from '../comparison/surroundings.ts';
import type { Timetable } from './timetable.ts';

export interface SustainedOptions {
  readonly surroundings: Surroundings;
  readonly timetable: Timetable;
  readonly onProgress: (line: string) => void;
}
