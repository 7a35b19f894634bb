import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { BundleState } from '../../../admin/debug/bundle-rows.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes, itemErrorOf } from '../../../errors.ts';
import { createStreamed } from '../../../files/replace.ts';
import { createZip, type ZipWriter } from '../../../files/zip.ts';
import type { PackedBundle } from './bundle-row.ts';

/** The finished bundle of a broker. */
export interface ReadyBundle {
  readonly broker: number;
  readonly state: BundleState;
}

/** A file with the bundles of several brokers. */
export interface BundleFile {
  /** Null if no bundle could be downloaded, so that there is no file. */
  readonly written: { readonly size: number; readonly sha256: string } | null;
  readonly bundles: readonly PackedBundle[];
}

/**
 * Downloads bundles one after the other into a new ZIP file, which exists as soon as it is whole.
 * @param path absolute
 * @param shown the path for messages
 * @throws CliError (exit 6) if the file exists, (exit 1) if it cannot be written
 */
export async function packBundles(
  context: Context,
  ready: readonly ReadyBundle[],
  { path, shown }: { readonly path: string; readonly shown: string },
): Promise<BundleFile> {
  const progress = context.progress('debug bundle');
  const total = ready.reduce((sum, { state }) => sum + (state.file_size ?? 0), 0);
  let done = 0;
  const onBytes = (bytes: number): void => {
    done += bytes;
    progress.report({ done, unit: 'bytes', ...(total > 0 && { total }) });
  };
  const bundles: PackedBundle[] = [];
  try {
    const { result, isCreated } = await createStreamed(path, async (file) => {
      const zip = createZip(file);
      for (const bundle of ready) bundles.push(await packed(context, zip, { ...bundle, onBytes }));
      if (bundles.every(({ error }) => error !== null)) return undefined;
      await zip.end();
      return await summary(path, file);
    });
    if (result !== undefined && !isCreated) throw exists(shown);
    return { written: result ?? null, bundles };
  } finally {
    progress.end();
  }
}

/** The error for a file that is there already. */
export function exists(shown: string): CliError {
  return new CliError(exitCodes.conflict, `unable to write ${shown}: the file exists`, {
    target: shown,
    code: 'FILE_EXISTS',
    hints: ['give the new file another name with -o FILE'],
  });
}

interface Packing extends ReadyBundle {
  readonly onBytes: (bytes: number) => void;
}

/** Adds the bundle of one broker. Errors of the disk end the command; errors of the broker do not. */
async function packed(context: Context, zip: ZipWriter, packing: Packing): Promise<PackedBundle> {
  const { broker, state } = packing;
  const name = `broker-${broker}.zip`;
  const hash = createHash('sha256');
  try {
    const chunks = await (await context.admin()).bundleFile(broker, state.filename ?? '');
    const entry = { name, modified: state.created ?? 0, size: state.file_size ?? undefined };
    const size = await zip.add({ ...entry, chunks: checked(chunks, { ...packing, hash }) });
    return { broker, file: name, size, sha256: hash.digest('hex'), error: null };
  } catch (error) {
    if (!(error instanceof CliError) || context.signal.aborted) throw error;
    return { broker, file: null, size: null, sha256: null, error: itemErrorOf(error) };
  }
}

/** Passes on the bytes of a bundle; throws if they are not a ZIP file, or fewer or more than the broker has announced. */
async function* checked(
  chunks: AsyncIterable<Uint8Array>,
  { broker, state, onBytes, hash }: Packing & { readonly hash: Hash },
): AsyncGenerator<Uint8Array> {
  const announced = state.file_size;
  let size = 0;
  for await (const chunk of chunks) {
    if (size === 0 && chunk.length > 0 && chunk[0] !== 0x50)
      throw bad(broker, 'the answer is not a ZIP file', 'BAD_ANSWER');
    size += chunk.length;
    if (announced !== null && size > announced) break;
    hash.update(chunk);
    onBytes(chunk.length);
    yield chunk;
  }
  if (announced === null ? size > 0 : size === announced) return;
  const is = announced !== null && size > announced ? 'more than' : `${size} instead of`;
  throw bad(broker, `it has ${is} the ${announced ?? 'expected'} bytes that the broker has announced`, 'SIZE_MISMATCH');
}

function bad(broker: number, why: string, code: string): CliError {
  const message = `unable to download the debug bundle of broker ${broker}: ${why}`;
  return new CliError(exitCodes.failure, message, { code, target: String(broker) });
}

async function summary(path: string, file: FileHandle): Promise<{ readonly size: number; readonly sha256: string }> {
  const hash = createHash('sha256');
  const { size } = await file.stat();
  for await (const chunk of createReadStream(path, { fd: file.fd, start: 0, autoClose: false })) hash.update(chunk);
  return { size, sha256: hash.digest('hex') };
}
