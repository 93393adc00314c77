export {
  readableText,
  redactGroup,
  scanGroup,
  type GroupDetection,
  type GroupVerdict,
  type ScannedTexts,
} from './scan-group.ts';
export { createScanner, type ScanJob, type Scanner } from './scanner.ts';
