/** A file as it can be seen: the picture that it is, or what else. Pictures are loaded by links, once they come into view. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Link, Resource } from '../../client/transport.ts';
import { files } from '../session/files.ts';
import { useLoad } from '../session/load.ts';
import { Icon } from './icons.tsx';
import { stringIn } from './fields/json.ts';
import { bytesText } from './words.tsx';

/** Those that every browser shows. */
const SHOWN = /^image\/(avif|gif|jpeg|png|webp)$/;

/** A file, as far as it is shown. */
export type Seen = Link & Pick<Resource, 'attributes'>;

interface PictureProps {
  readonly file: Seen;
  /** What is said in the place of the picture; nothing where its name stands beside it. */
  readonly alt?: string;
  /** Pixels that it is wide at most, where the application has this size. */
  readonly width: number;
}

export function Picture({ file, alt = '', width }: PictureProps) {
  const frame = useRef<HTMLSpanElement>(null);
  const [isSeen, setSeen] = useState(false);
  const [isBroken, setBroken] = useState(false);
  const isPicture = SHOWN.test(stringIn(file.attributes?.['media-type']));
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    if (frame.current !== null) observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  const { value: href } = useLoad(async () => {
    const { value: own } = files;
    return isSeen && isPicture ? own.url(file, { width }).catch(() => own.url(file)) : undefined;
  }, [file.id, isSeen]);
  return (
    <span class="picture" ref={frame}>
      {href === undefined || isBroken ? (
        <Icon name={isPicture ? 'file' : 'documents'} />
      ) : (
        <img src={href} alt={alt} onError={() => setBroken(true)} />
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
