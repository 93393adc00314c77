export {
  readableText,
  redactGroup,
  scanGroup,
  type GroupDetection,
  type GroupVerdict,
  type ScannedTexts,
} from './scan-group.ts';
export type { FollowedStream } from './stream-follower.ts';
export {
  TextRelease,
  type Buffering,
  type Release,
  type ReleaseOptions,
  type StreamHold,
} from './text-release.ts';
export { createScanner, type Scanner } from './scanner.ts';
export type { ScanFailure, ScanJob, StreamJob } from './scan-job.ts';
