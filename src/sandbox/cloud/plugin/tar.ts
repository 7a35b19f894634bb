const block = 512;

/** A file to pack. */
interface PackedFile {
  readonly name: string;
  /** Permission bits, for example 0o755. */
  readonly mode: number;
  readonly content: Uint8Array;
}

/** Packs one file as a tar archive (POSIX ustar), always with the same bytes. */
export function tarOf({ name, mode, content }: PackedFile): Buffer {
  const header = Buffer.alloc(block);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  header.write(name, 0, 100, 'latin1');
  header.write(octal(mode, 7), 100, 'latin1');
  header.write(octal(0, 7) + octal(0, 7), 108, 'latin1');
  header.write(octal(content.length, 11) + octal(0, 11), 124, 'latin1');
  header.write('        0', 148, 'latin1'); // the checksum field counts as spaces; type 0 is a regular file
  header.write('ustar\x0000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  const padding = Buffer.alloc((block - (content.length % block)) % block);
  return Buffer.concat([header, content, padding, Buffer.alloc(2 * block)]);
}
