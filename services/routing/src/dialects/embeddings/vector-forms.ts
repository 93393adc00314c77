import type { EmbeddingVector } from '@sluice/inference';

const floatBytes = 4;

/** Returns the numbers of a vector. Those of base64 are 32-bit floats, which a double has exactly. */
export function numbersOf(vector: EmbeddingVector): readonly number[] {
  if (typeof vector !== 'string') return vector;
  const bytes = Buffer.from(vector, 'base64');
  const count = bytes.byteLength / floatBytes;
  return Array.from({ length: count }, (_, index) => bytes.readFloatLE(index * floatBytes));
}

/** Returns the base64 of the numbers as 32-bit floats in little-endian order. */
export function base64Of(vector: EmbeddingVector): string {
  if (typeof vector === 'string') return vector;
  const bytes = Buffer.alloc(vector.length * floatBytes);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * floatBytes);
  return bytes.toString('base64');
}
