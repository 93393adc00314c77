export { contentOf, type FileRef } from './content-of.ts';
export type { FileCalls } from './file-calls.ts';
export { exportIdPrefix, fileIdForm, fileIdOf, isExportId } from './file-id.ts';
export { type NewFile, uploadFile } from './upload-file.ts';
export { partBytesMax } from './parts.ts';
