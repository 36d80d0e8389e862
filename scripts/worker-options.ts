/**
 * What wrangler.toml says of the Worker, as Miniflare takes it: bindings, compatibility date and flags, rate limits. It
 * reads what this project has there, as wrangler's own reader does, which a server need not install.
 */
import type { V4WorkerOptions } from 'miniflare';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';

export const CONFIGURATION = join(import.meta.dirname, '../wrangler.toml');

export type WorkerOptions = Pick<
  V4WorkerOptions,
  | 'compatibilityDate'
  | 'compatibilityFlags'
  | 'durableObjects'
  | 'kvNamespaces'
  | 'ratelimits'
  | 'analyticsEngineDatasets'
  | 'images'
  | 'email'
> & { readonly r2Buckets: Readonly<Record<string, string>> };

/** The Worker's part of wrangler.toml. */
interface Configuration {
  readonly compatibility_date: string;
  readonly compatibility_flags?: string[];
  readonly durable_objects?: {
    readonly bindings: readonly { readonly name: string; readonly class_name: string }[];
  };
  readonly migrations?: readonly { readonly new_sqlite_classes?: readonly string[] }[];
  readonly kv_namespaces?: readonly { readonly binding: string; readonly id?: string }[];
  readonly r2_buckets?: readonly { readonly binding: string; readonly bucket_name: string }[];
  readonly ratelimits?: readonly {
    readonly name: string;
    readonly namespace_id: string;
    readonly simple: { readonly limit: number; readonly period: 10 | 60 };
  }[];
  readonly images?: { readonly binding: string };
  readonly send_email?: { readonly name: string }[];
  readonly analytics_engine_datasets?: readonly { readonly binding: string; readonly dataset?: string }[];
}

/** The Worker of wrangler.toml. Its `[vars]` are a deployment's: on this machine, settings come with each start. */
export function workerOptions(file = CONFIGURATION): WorkerOptions {
  const read = parse(readFileSync(file, 'utf8')) as unknown as Configuration;
  const stored = new Set(read.migrations?.flatMap(({ new_sqlite_classes: names = [] }) => names));
  const objects = (read.durable_objects?.bindings ?? []).map(
    ({ name, class_name: className }) => [name, { className, useSQLite: stored.has(className) }] as const,
  );
  return {
    compatibilityDate: read.compatibility_date,
    compatibilityFlags: read.compatibility_flags ?? [],
    durableObjects: Object.fromEntries(objects),
    kvNamespaces: Object.fromEntries(
      (read.kv_namespaces ?? []).map(({ binding, id = binding }) => [binding, { id }]),
    ),
    r2Buckets: Object.fromEntries(
      (read.r2_buckets ?? []).map(({ binding, bucket_name: name }) => [binding, name]),
    ),
    ratelimits: Object.fromEntries((read.ratelimits ?? []).map((limit) => [limit.name, limit])),
    ...(read.images !== undefined && { images: read.images }),
    ...(read.send_email !== undefined && { email: { send_email: read.send_email } }),
    analyticsEngineDatasets: Object.fromEntries(
      (read.analytics_engine_datasets ?? []).map(({ binding, dataset = binding }) => [binding, { dataset }]),
    ),
  };
}
