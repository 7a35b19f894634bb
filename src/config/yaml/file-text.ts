import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { CliError } from '../../errors.ts';
import { codeOf, faultOf } from '../../files/fault.ts';
import { ReadRefusal, readSmallFile } from '../../files/read.ts';
import { configError } from '../layer.ts';

/** The maximum size of a configuration file, in bytes. */
export const maxFileBytes = 262_144;

/** The content of a configuration file. */
export interface FileText {
  /** The absolute path. */
  readonly path: string;
  readonly text: string;
  /** Whether users other than the owner can read it. */
  readonly readableByOthers: boolean;
}

/**
 * Reads a configuration file; undefined if there is none. It reads synchronously because every start of weir
 * runs this code, and loading `node:fs/promises` takes milliseconds.
 * @throws CliError if it cannot be read, naming the file (and the line, if it is not UTF-8 text)
 */
export function readFileText(path: string): FileText | undefined {
  if (path === '/dev/null') return { path, text: '', readableByOthers: false };
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    // Opens only regular files, because a pipe or a device could block forever.
    if (!stats.isFile()) throw configError(`unable to read ${path}: it is not a regular file`, { target: path });
    return { path, text: decode(path, readBytes(path)), readableByOthers: (stats.mode & 0o044) !== 0 };
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error instanceof CliError ? error : unreadable(path, error);
  }
}

/**
 * Reads a configuration file that a person named, which may be a pipe, such as that of `<(envsubst < weir.yaml)`. It is
 * only for reading: a change goes through `readFileText`, which refuses a pipe.
 * @throws CliError like `readFileText`
 */
export async function readNamedText(path: string): Promise<FileText | undefined> {
  if (!isPipe(path)) return readFileText(path);
  let bytes: Buffer;
  try {
    bytes = await readSmallFile(path, maxFileBytes);
  } catch (error) {
    throw error instanceof ReadRefusal ? tooLarge(path) : unreadable(path, error);
  }
  return { path, text: decode(path, bytes), readableByOthers: false };
}

/** @throws CliError if a file cannot be replaced by a changed one: what came through a pipe has no place to be kept */
export function checkChangeable(path: string): void {
  if (isPipe(path)) throw configError(`unable to change ${path}: it is not a regular file`, { target: path });
}

function isPipe(path: string): boolean {
  try {
    const stats = statSync(path);
    return !stats.isFile() && !stats.isDirectory() && path !== '/dev/null';
  } catch {
    return false; // reported by whoever reads it
  }
}

function readBytes(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(Math.min(maxFileBytes, fstatSync(file).size) + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read) {
      read = readSync(file, buffer, length, buffer.length - length, null);
    }
    if (length > maxFileBytes) throw tooLarge(path);
    return buffer.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

function decode(path: string, bytes: Buffer): string {
  const control = bytes.findIndex((byte) => isControl(byte));
  if (control >= 0) throw notText(path, bytes, control);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const kept = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    throw notText(path, bytes, Buffer.byteLength(kept.slice(0, kept.indexOf('\ufffd'))));
  }
}

function isControl(code: number): boolean {
  return code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d;
}

/** Whether a text has no control characters, which `readFileText` rejects. */
export function isWritable(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (isControl(text.charCodeAt(at))) return false;
  return true;
}

function notText(path: string, bytes: Buffer, at: number): Error {
  let line = 1;
  for (let i = bytes.indexOf(0x0a); i >= 0 && i < at; i = bytes.indexOf(0x0a, i + 1)) line += 1;
  return configError(`unable to read ${path}:${line}: it is not UTF-8 text`, { target: path });
}

function tooLarge(path: string): Error {
  return configError(`unable to read ${path}: it is larger than ${maxFileBytes} bytes`, { target: path });
}

function unreadable(path: string, error: unknown): Error {
  return configError(`unable to read ${path}: ${faultOf(error)}`, { target: path, cause: error });
}
