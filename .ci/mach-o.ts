import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

// The parts of a program for macOS that matter here: see <mach-o/loader.h> and <kern/cs_blobs.h> of its sources.
const headerBytes = 32;
const loadSegment = 0x19;
const loadSignature = 0x1d;
const codeDirectory = 0xfade0c02;

interface LoadCommand {
  readonly at: number;
  readonly kind: number;
  readonly bytes: number;
}

function loadCommands(program: Buffer): readonly LoadCommand[] {
  const commands: LoadCommand[] = [];
  for (let at = headerBytes, left = program.readUInt32LE(16); left > 0; left -= 1) {
    const command = { at, kind: program.readUInt32LE(at), bytes: program.readUInt32LE(at + 4) };
    commands.push(command);
    at += command.bytes;
  }
  return commands;
}

/**
 * Removes the signature of a program for Intel Macs. Bun 1.4 leaves its own there, which no longer fits the program, and
 * macOS may stop a program with a wrong signature; on Intel, it runs programs without one.
 */
export function removeSignature(path: string): void {
  const program = readFileSync(path);
  const commands = loadCommands(program);
  const signature = commands.at(-1);
  const linkedit = commands.findLast(({ kind }) => kind === loadSegment);
  if (signature?.kind !== loadSignature || linkedit === undefined)
    throw new Error(`the signature of ${path} is not its last load command`);
  const end = program.readUInt32LE(signature.at + 8);
  program.writeUInt32LE(commands.length - 1, 16);
  program.writeUInt32LE(program.readUInt32LE(20) - signature.bytes, 20);
  program.fill(0, signature.at, signature.at + signature.bytes);
  // The signature was the end of the last segment, and of the file.
  program.writeBigUInt64LE(BigInt(end) - program.readBigUInt64LE(linkedit.at + 40), linkedit.at + 48);
  writeFileSync(path, program.subarray(0, end));
}

/** Whether a program for macOS is signed, and every page of it has the hash that is signed. */
export function signatureOf(path: string): 'none' | 'valid' | 'wrong' {
  const program = readFileSync(path);
  const command = loadCommands(program).find(({ kind }) => kind === loadSignature);
  if (command === undefined) return 'none';
  const blob = program.subarray(program.readUInt32LE(command.at + 8));
  const directories = Array.from({ length: blob.readUInt32BE(8) }, (_, at) => blob.readUInt32BE(16 + 8 * at));
  const at = directories.find((offset) => blob.readUInt32BE(offset) === codeDirectory);
  if (at === undefined) return 'wrong';
  const directory = blob.subarray(at);
  const [hashes, pages, limit] = [16, 28, 32].map((field) => directory.readUInt32BE(field)) as [number, number, number];
  const [hashBytes, pageBytes] = [directory.readUInt8(36), 2 ** directory.readUInt8(39)];
  if (limit !== program.readUInt32LE(command.at + 8)) return 'wrong';
  for (let page = 0; page < pages; page += 1) {
    const part = program.subarray(page * pageBytes, Math.min((page + 1) * pageBytes, limit));
    const signed = directory.subarray(hashes + page * hashBytes, hashes + (page + 1) * hashBytes);
    if (!createHash('sha256').update(part).digest().subarray(0, hashBytes).equals(signed)) return 'wrong';
  }
  return 'valid';
}
