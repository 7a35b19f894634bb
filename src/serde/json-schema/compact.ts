import { type Arena, reserve } from '../../bytes/arena.ts';

const [quote, backslash, space] = [0x22, 0x5c, 0x20];
const separatorStart = Buffer.from([0xe2, 0x80]);

/**
 * Appends JSON text without the blanks between its tokens, and with everything else as it is: long numbers, keys that
 * are there twice, the order of keys. Only U+2028 and U+2029, which many readers take for the end of a line, are
 * escaped. The text must be JSON.
 */
export function appendCompact(arena: Arena, json: Buffer): void {
  const hasSeparators = json.includes(separatorStart);
  reserve(arena, json.length * (hasSeparators ? 2 : 1));
  const target = arena.bytes;
  let to = arena.length;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] as number;
    if (isText) {
      if (byte === quote) isText = false;
      else if (byte === backslash) {
        target[to++] = byte;
        target[to++] = json[++at] as number;
        continue;
      } else if (hasSeparators && isSeparator(json, at)) {
        to += target.write(json[at + 2] === 0xa8 ? '\\u2028' : '\\u2029', to, 'latin1');
        at += 2;
        continue;
      }
    } else if (byte <= space) continue;
    else if (byte === quote) isText = true;
    target[to++] = byte;
  }
  arena.length = to;
}

function isSeparator(json: Buffer, at: number): boolean {
  return json[at] === 0xe2 && json[at + 1] === 0x80 && ((json[at + 2] as number) & 0xfe) === 0xa8;
}
