import { generateKeyPairSync, sign } from 'node:crypto';

/** A certificate for 127.0.0.1 that is its own authority, and its key: made anew for each run. */
export function selfSigned(): { readonly certificate: Buffer; readonly privateKey: Buffer } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const name = sequence(set(sequence(objectId(2, 5, 4, 3), tagged(0x0c, Buffer.from('test')))));
  const year = 365 * 24 * 3_600_000;
  const validity = sequence(utcTime(Date.now() - year), utcTime(Date.now() + year));
  const algorithm = sequence(objectId(1, 2, 840, 10_045, 4, 3, 2));
  const address = tagged(0x87, Buffer.from([127, 0, 0, 1]));
  const extensions = sequence(
    sequence(objectId(2, 5, 29, 19), octets(sequence(tagged(0x01, Buffer.from([0xff]))))),
    sequence(objectId(2, 5, 29, 17), octets(sequence(address))),
  );
  const body = sequence(
    tagged(0xa0, integer(2)),
    integer(1),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, extensions),
  );
  const signature = sign('sha256', body, privateKey);
  const bits = tagged(0x03, Buffer.concat([Buffer.from([0]), signature]));
  return {
    certificate: pem(sequence(body, algorithm, bits)),
    privateKey: Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  };
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const long = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...(length < 0x80 ? [length] : long)]), content]);
}

const sequence = (...parts: readonly Buffer[]) => tagged(0x30, Buffer.concat(parts));
const set = (...parts: readonly Buffer[]) => tagged(0x31, Buffer.concat(parts));
const octets = (content: Buffer) => tagged(0x04, content);
const integer = (value: number) => tagged(0x02, Buffer.from([value]));

function objectId(first: number, second: number, ...rest: readonly number[]): Buffer {
  const bytes = rest.flatMap((arc) => {
    const groups = [arc & 0x7f];
    for (let left = arc >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80);
    return groups;
  });
  return tagged(0x06, Buffer.from([first * 40 + second, ...bytes]));
}

function utcTime(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replaceAll(/\D/g, '');
  return tagged(0x17, Buffer.from(`${digits.slice(2, 14)}Z`));
}

function pem(der: Buffer): Buffer {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return Buffer.from(
    `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  );
}
