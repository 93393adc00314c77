export {
  readableText,
  redactGroup,
  scanGroup,
  type GroupDetection,
  type GroupVerdict,
  type ScannedTexts,
} from './scan-group.ts';
export { TextRelease, type Buffering, type Release, type ReleaseOptions } from './text-release.ts';
export { createScanner, type ScanFailure, type ScanJob, type Scanner } from './scanner.ts';
