/** A file as it can be seen: as a picture, if it is one. Pictures are loaded by links, once they come into view. */
import { useState } from 'preact/hooks';
import type { Link, Resource } from '../../client/transport.ts';
import type { Json } from '../../client/values.ts';
import { Icon } from './icons.tsx';
import { stringIn } from './fields/json.ts';
import { bytesText } from './words.tsx';

/** Those that every browser shows. */
const SHOWN = /^image\/(avif|gif|jpeg|png|webp)$/;

/** A file, as far as it is shown. */
export type Seen = Link & Pick<Resource, 'attributes'>;

interface PictureProps {
  readonly file: Seen;
  /** The link to its content; undefined where there is none, or not yet. */
  readonly href: Json | undefined;
  /** What is said in the place of the picture; nothing where its name stands beside it. */
  readonly alt?: string;
}

export function Picture({ file, href, alt = '' }: PictureProps) {
  const [isBroken, setBroken] = useState(false);
  const isPicture = SHOWN.test(stringIn(file.attributes?.['media-type']));
  return (
    <span class="picture">
      {!isPicture || typeof href !== 'string' || isBroken ? (
        <Icon name={isPicture ? 'file' : 'documents'} />
      ) : (
        <img src={href} alt={alt} loading="lazy" onError={() => setBroken(true)} />
      )}
    </span>
  );
}

/** What a file is, in words: `image/png, 1.6 MB, 800 × 600`. */
export function wordsOfFile({ attributes = {} }: Seen): string {
  const { 'media-type': type, size, width, height } = attributes;
  const words = [
    ...(typeof type === 'string' ? [type] : []),
    ...(typeof size === 'number' ? [bytesText(size)] : []),
    ...(typeof width === 'number' && typeof height === 'number' ? [`${width} × ${height}`] : []),
  ];
  return words.join(', ');
}
