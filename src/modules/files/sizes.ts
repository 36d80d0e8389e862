/** Pictures in sizes (docs/files.md): what a request asks for, and whether it may have that. */
import { collectionOf } from '../../collection/rpc/client.ts';
import type { CallContext } from '../../collection/rpc/call-context.ts';
import { LIMITS } from '../../domain/limits.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { PICTURE_SIZES } from '../../domain/types/settings.ts';
import { CORE } from '../../domain/types.ts';
import { FITS, FORMATS, SIZE_MEMBERS, type SizeMember } from '../contents/parameters.ts';
import type { File } from './content.ts';
import { PICTURES } from './names.ts';

/** How a picture is to be made. */
export interface Size {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly fit: (typeof FITS)[number];
  readonly format: (typeof FORMATS)[number];
  /** Whether a JPEG made of a JPEG keeps its Exif. */
  readonly metadata?: true;
}

/** What is said of a size: undefined where nothing is. */
export type Said = Readonly<Partial<Record<SizeMember, unknown>>>;

/** Says what is wrong with a member, where the request has it. */
type Refuse = (member: SizeMember, detail: string) => Outcome<never>;

/** What the parameters of a request say. */
export function saidIn(parameters: ReadonlyMap<string, string>): Said {
  const { width, height, ...others } = Object.fromEntries(parameters);
  const numberIn = (text: string) => (/^[1-9]\d{0,9}$/.test(text) ? Number(text) : text);
  return {
    ...others,
    ...(width !== undefined && { width: numberIn(width) }),
    ...(height !== undefined && { height: numberIn(height) }),
  };
}

/** The size that is asked for of a file, if it may be; null for the content as it is. Without a file, any picture's. */
export async function sizeOf(
  caller: CallContext,
  file: File | null,
  said: Said,
  refuse: Refuse,
): Promise<Outcome<Size | null>> {
  const first = SIZE_MEMBERS.find((member) => said[member] !== undefined);
  if (first === undefined) return ok(null);
  if (caller.environment.IMAGES === undefined) {
    const detail = 'The service makes no pictures in sizes: bind Images as IMAGES in wrangler.toml.';
    return fail('not-configured', detail);
  }
  const settings = await collectionOf(caller, CORE.file).settings();
  const fault = file && faultOf(file);
  if (fault !== null) return refuse(first, fault);
  const size = readSize(said, settings?.sizes ?? PICTURE_SIZES, refuse);
  return size.ok && settings?.keepMetadata === true ? ok({ ...size.value, metadata: true }) : size;
}

function readSize(said: Said, sizes: readonly number[], refuse: Refuse): Outcome<Size> {
  const { fit = 'scale-down', format = 'auto' } = said;
  for (const side of ['width', 'height'] as const) {
    if (said[side] === undefined || sizes.some((each) => each === said[side])) continue;
    const names = sizes.length === 0 ? 'none' : `one of ${sizes.join(', ')}`;
    return refuse(side, `The ${side} is ${names}: the setting sizes of ${CORE.file} lists them.`);
  }
  const knownFit = FITS.find((each) => each === fit);
  const knownFormat = FORMATS.find((each) => each === format);
  if (knownFit === undefined) return refuse('fit', `The fit is one of ${FITS.join(', ')}.`);
  if (knownFormat === undefined) return refuse('format', `The format is one of ${FORMATS.join(', ')}.`);
  const [width = null, height = null] = [said.width, said.height].map((side) =>
    sizes.find((each) => each === side),
  );
  if (width === null && height === null)
    return refuse('width', 'A picture in a size has a width or a height.');
  const isBoth = width !== null && height !== null;
  if (!isBoth && knownFit !== 'scale-down')
    return refuse('fit', `To ${knownFit} takes both width and height.`);
  const { pictureSide } = LIMITS;
  return ok({
    width: width ?? pictureSide,
    height: height ?? pictureSide,
    fit: knownFit,
    format: knownFormat,
  });
}

/** Why a file has no sizes; null where it has. */
export function faultOf({
  mediaType,
  pixels = 0,
  size,
}: Pick<File, 'mediaType' | 'pixels' | 'size'>): string | null {
  const [essence = ''] = mediaType.split(';');
  const { pictureBytes, picturePixels } = LIMITS;
  if (!PICTURES.has(essence)) return 'Pictures alone have sizes: AVIF, GIF, JPEG, PNG and WebP.';
  if (pixels <= picturePixels && size <= pictureBytes) return null;
  return `Pictures of at most ${picturePixels} pixels and ${pictureBytes} bytes have sizes.`;
}
