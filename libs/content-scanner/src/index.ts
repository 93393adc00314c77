export {
  redactGroup,
  scanGroup,
  type GroupDetection,
  type GroupVerdict,
  type ScannedTexts,
} from './scan-group.ts';
export { createScanner, type ScanJob, type Scanner } from './scanner.ts';
export { TextRelease, type Buffering, type Release, type ReleaseOptions } from './text-release.ts';
