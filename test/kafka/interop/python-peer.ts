import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { pythonWithKafka } from '../../services/client-programs.ts';
import { services } from '../../services/services.ts';
import type { InteropRecord } from './plain-records.ts';

const script = fileURLToPath(new URL('./peer.py', import.meta.url));

/** Starts the peer against the plaintext broker of this run. */
export function pythonPeer(verb: string, words: readonly string[]) {
  return execa(pythonWithKafka(), [script, verb, services().plaintext, ...words]);
}

/** Writes records with confluent-kafka. */
export async function pythonProduces(topic: string, codec: string, records: readonly InteropRecord[]): Promise<void> {
  const lines = records.map(({ key, value, headers, timestamp }) => {
    const list = headers.map(([name, content]) => [name, content?.toString('base64') ?? null]);
    const fields = { key: key?.toString('base64') ?? null, value: value?.toString('base64') ?? null };
    return `${JSON.stringify({ topic, codec, ...fields, headers: list, timestamp })}\n`;
  });
  const child = pythonPeer('produce', []);
  child.stdin.end(lines.join(''));
  await child;
}

interface Line {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly key: string | null;
  readonly value: string | null;
  readonly headers: readonly (readonly [string, string | null])[];
  readonly timestamp: number;
}

/** A record and its partition and offset. */
export interface PlacedRecord extends InteropRecord {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
}

/** Everything that confluent-kafka reads of the topics. */
export async function pythonConsumes(...words: readonly string[]): Promise<readonly PlacedRecord[]> {
  const { stdout } = await pythonPeer('consume', words);
  const bytes = (text: string | null) => (text === null ? null : Buffer.from(text, 'base64'));
  return stdout
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => {
      const line = JSON.parse(text) as Line;
      return {
        ...line,
        key: bytes(line.key),
        value: bytes(line.value),
        headers: line.headers.map(([name, value]) => [name, bytes(value)] as const),
      };
    });
}
