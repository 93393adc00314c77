export {
  type ByteRange,
  type FileKey,
  type FileStore,
  type PutFailure,
  type PutOptions,
  type StoredFile,
  StoreUnavailable,
} from './file-store.ts';
export { type LocalFileStoreOptions, openLocalFileStore } from './local-file-store.ts';
export { openS3FileStore, type S3FileStoreOptions } from './s3-file-store.ts';
export { readS3Bucket, type S3Bucket, type S3Object, signS3Object } from './sign-s3-object.ts';
