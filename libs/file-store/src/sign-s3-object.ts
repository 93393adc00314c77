import { signS3Put } from './sign-s3-put.ts';

/** A bucket of somebody else, who gave us a key of it. */
export interface S3Bucket {
  readonly bucketName: string;
  /** Empty: that of AWS in the region. */
  readonly endpoint: string;
  /** Empty: us-east-1. */
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Empty: there is none. */
  readonly sessionToken: string;
}

export interface S3Object {
  /** Parts between `/`, in any letters. */
  readonly name: string;
  readonly mediaType: string;
  /** The hash of the content, in hexadecimal digits. */
  readonly sha256: string;
}

const regionDefault = 'us-east-1';

/** Reads a bucket from the config of a destination. */
export function readS3Bucket(config: Readonly<Record<string, unknown>>): S3Bucket {
  const text = (name: keyof S3Bucket) => {
    const value = config[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    bucketName: text('bucketName'),
    endpoint: text('endpoint'),
    region: text('region'),
    accessKeyId: text('accessKeyId'),
    secretAccessKey: text('secretAccessKey'),
    sessionToken: text('sessionToken'),
  };
}

/** Returns the URL and the signed headers of a request that puts the object into the bucket. */
export async function signS3Object(
  bucket: S3Bucket,
  { name, mediaType, sha256 }: S3Object,
  now: Date,
): Promise<{ readonly url: string; readonly headers: Readonly<Record<string, string>> }> {
  const { bucketName, accessKeyId, secretAccessKey, sessionToken } = bucket;
  const region = bucket.region || regionDefault;
  const endpoint = bucket.endpoint || `https://s3.${region}.amazonaws.com`;
  const path = [bucketName, ...name.split('/')].map(encodePart).join('/');
  const url = `${endpoint.replace(/\/+$/, '')}/${path}`;
  const headers = await signS3Put({
    url,
    region,
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== '' && { sessionToken }),
    sha256,
    headers: { 'content-type': mediaType },
    now,
  });
  return { url, headers };
}

function encodePart(part: string): string {
  return encodeURIComponent(part).replaceAll(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
