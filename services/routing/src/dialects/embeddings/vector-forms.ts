import type { EmbeddingVector } from '@sluice/inference';

const floatBytes = 4;

/** Returns the numbers of a vector. Those of base64 are 32-bit floats, which a double has exactly. */
export function numbersOf(vector: EmbeddingVector): readonly number[] {
  if (typeof vector !== 'string') return vector;
  const { buffer, byteOffset, byteLength } = Buffer.from(vector, 'base64');
  // The methods of Buffer take several times as long, because they check their arguments.
  const view = new DataView(buffer, byteOffset, byteLength);
  const numbers: number[] = [];
  for (let at = 0; at < byteLength; at += floatBytes) numbers.push(view.getFloat32(at, true));
  return numbers;
}

/** Returns the base64 of the numbers as 32-bit floats in little-endian order. */
export function base64Of(vector: EmbeddingVector): string {
  if (typeof vector === 'string') return vector;
  const bytes = Buffer.alloc(vector.length * floatBytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const [index, value] of vector.entries()) view.setFloat32(index * floatBytes, value, true);
  return bytes.toString('base64');
}
