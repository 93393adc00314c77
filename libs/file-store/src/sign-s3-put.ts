import { AwsClient } from 'aws4fetch';

export interface S3Put {
  readonly url: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  /** The hash of the body, in hexadecimal digits. */
  readonly sha256: string;
  /** Headers that are signed, too. */
  readonly headers: Readonly<Record<string, string>>;
  readonly now: Date;
}

/** Returns the headers of a signed request that puts an object (AWS Signature Version 4). */
export async function signS3Put(put: S3Put): Promise<Readonly<Record<string, string>>> {
  const { accessKeyId, secretAccessKey, sessionToken, region, url, sha256, headers, now } = put;
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    region,
    service: 's3',
    retries: 0,
  });
  const datetime = now.toISOString().replaceAll(/[:-]|\.\d{3}/g, '');
  const signed = await client.sign(url, {
    method: 'PUT',
    headers: { ...headers, 'x-amz-content-sha256': sha256 },
    aws: { datetime, allHeaders: true },
  });
  return Object.fromEntries(signed.headers);
}
