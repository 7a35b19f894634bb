import { CliError, exitCodes } from '../../errors.ts';

const blockSize = 512;
/** The maximum size of a plugin in bytes, so that an archive cannot fill the disk. */
const maxSize = 4 * 1024 ** 3;
/** What tar programs write before an entry: each kind once. */
const mostHeaders = 16;

/**
 * Yields the bytes of the first entry of a tar archive (POSIX ustar, with optional pax and GNU headers) and ignores the
 * rest. No library does this, because nothing else is needed. Paths in the archive are never written to. Only a regular file with a safe path is accepted.
 * @throws CliError if the archive is damaged or its first entry is not accepted
 */
export async function* firstEntry(archive: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = openReader(archive);
  try {
    for (let headers = 0; headers < mostHeaders; headers += 1) {
      const header = readHeader(await reader.exactly(blockSize));
      if (isAboutTheNext(header.type)) {
        await reader.exactly(Math.ceil(header.size / blockSize) * blockSize);
        continue;
      }
      checkEntry(header);
      yield* reader.upTo(header.size);
      return;
    }
    throw broken(`its first entry has more than ${mostHeaders} headers`);
  } finally {
    await reader.close();
  }
}

interface Header {
  readonly name: string;
  readonly size: number;
  readonly type: string;
}

/** pax headers (x, g) and the long names of GNU (L, K) describe the entry after them. */
function isAboutTheNext(type: string): boolean {
  return 'xgLK'.includes(type);
}

function checkEntry({ name, type }: Header): void {
  if (type !== '0' && type !== '7') throw broken(`its first entry ("${name}") is not a regular file`);
  if (name.startsWith('/') || name.split(/[/\\]/).includes('..'))
    throw broken(`its first entry has an unsafe path ("${name}")`);
}

function readHeader(block: Buffer): Header {
  if (block.every((byte) => byte === 0)) throw broken('it is empty');
  // The checksum is the sum of the block's bytes, with its own eight bytes counted as spaces.
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  if (octal(block, 148, 8) !== sum) throw broken('it is damaged or not a tar archive');
  const type = String.fromCharCode(block[156] ?? 0).replace('\0', '0');
  const size = octal(block, 124, 12);
  if (!(size <= (isAboutTheNext(type) ? 2 ** 20 : maxSize))) throw broken('an entry has an invalid size');
  return { name: text(block, 0, 100), size, type };
}

function text(block: Buffer, at: number, length: number): string {
  const end = block.indexOf(0, at);
  return block.toString('utf8', at, end < 0 || end > at + length ? at + length : end);
}

function octal(block: Buffer, at: number, length: number): number {
  return Number.parseInt(text(block, at, length).trim(), 8);
}

function broken(why: string): CliError {
  return new CliError(exitCodes.failure, `unable to unpack the plugin: ${why}`, { code: 'PLUGIN_DAMAGED' });
}

interface Reader {
  exactly(length: number): Promise<Buffer>;
  upTo(length: number): AsyncGenerator<Uint8Array>;
  close(): Promise<void>;
}

function openReader(source: AsyncIterable<Uint8Array>): Reader {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array(0);

  async function* upTo(length: number): AsyncGenerator<Uint8Array> {
    for (let left = length; left > 0; ) {
      if (rest.length === 0) {
        const next = await chunks.next();
        if (next.done === true) throw broken('it is cut short');
        rest = next.value;
        continue;
      }
      const piece = rest.subarray(0, left);
      rest = rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }
  return {
    upTo,
    async exactly(length) {
      const pieces: Uint8Array[] = [];
      for await (const piece of upTo(length)) pieces.push(piece);
      return Buffer.concat(pieces);
    },
    async close() {
      await chunks.return?.();
    },
  };
}
