/** A digest that nobody makes another text for (FIPS 180-4). */
import { createHash } from 'node:crypto';

/** In hexadecimal digits. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
