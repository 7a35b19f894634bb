/** A record before it was written to Kafka, as in weir's JSON. */
export interface RandomEnvelope {
  readonly key?: string;
  readonly key_encoding?: 'base64';
  readonly value?: string;
  readonly value_encoding?: 'base64';
  readonly headers?: readonly RandomEnvelope[] | readonly { readonly key: string; readonly value: string | null }[];
  readonly timestamp: number;
}

/** Random numbers from 0 to 1 that are the same for the same seed (xorshift of 32 bits). */
function randomFrom(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}

const largest = 1_000_000;
/** Source of values: all bytes, and text with characters that JSON must escape. */
const sourceBytes = 4 * largest;
const text = 'plain text "quoted" \\ back\n\t\u0000\u007f <tag> & \u2028 \u00fc \u20ac \u{1f600} ';

function bytesSource(random: () => number): Buffer {
  const source = Buffer.alloc(sourceBytes);
  for (let at = 0; at < source.length; at += 4) source.writeUInt32LE((random() * 4294967296) >>> 0, at);
  return source;
}

/** Most are small, one in two thousand is large (up to 1 MB); half a kilobyte on average. */
function randomSize(random: () => number): number {
  const kind = random();
  const part = random();
  if (kind < 0.6) return Math.floor(part * 100);
  if (kind < 0.9) return Math.floor(part * 1000);
  if (kind < 0.9995) return Math.floor(part * part * 5000);
  return kind > 0.999_995 ? largest : Math.floor(10_000 * 100 ** part);
}

/**
 * Yields records that are the same for the same seed: keys and values null, empty, text or any bytes,
 * headers that repeat, are null, or carry bytes. Written again, they take no memory for what was before.
 */
export function* randomRecords(seed: number, count: number): Generator<RandomEnvelope> {
  const random = randomFrom(seed);
  const source = bytesSource(random);
  const anyText = Buffer.from(text.repeat(Math.ceil(sourceBytes / Buffer.byteLength(text))));
  const start = Date.UTC(2021, 5, 1);
  const field = (name: 'key' | 'value', size: number): Record<string, string> => {
    const kind = random();
    if (kind < 0.1) return {};
    if (kind < 0.2) return { [name]: '' };
    const from = Math.floor(random() * (sourceBytes - size));
    if (kind < 0.6) return { [name]: source.toString('base64', from, from + size), [`${name}_encoding`]: 'base64' };
    // Cut only between characters, so that text stays valid.
    return { [name]: anyText.toString('utf8', from, from + size).replaceAll('\ufffd', '?') };
  };
  for (let index = 0; index < count; index++) {
    const headers = Array.from({ length: random() < 0.7 ? 0 : Math.floor(random() * 5) }, () => {
      const key = ['a', 'a', '', 'name', '\u00fc'][Math.floor(random() * 5)] ?? '';
      return random() < 0.2 ? { key, value: null } : { key, value: '', ...field('value', Math.floor(random() * 50)) };
    });
    yield {
      ...field('key', Math.floor(random() * 40)),
      ...field('value', randomSize(random)),
      ...(headers.length === 0 ? {} : { headers }),
      timestamp: start + Math.floor(random() * 1e10),
    };
  }
}

/** A record in one form, whatever form it came in: two are equal when these are. */
export function canonical(envelope: RandomEnvelope): string {
  const headers = (envelope.headers ?? []).map((header) => `${fieldOf(header, 'key')}=${fieldOf(header, 'value')}`);
  return `${fieldOf(envelope, 'key')} ${fieldOf(envelope, 'value')} [${headers}] ${envelope.timestamp}`;
}

function fieldOf(envelope: object, name: string): string {
  const fields = envelope as Readonly<Record<string, string | null | undefined>>;
  const content = fields[name];
  if (content === undefined || content === null) return 'null';
  // Bytes that happen to be UTF-8 are text in weir's JSON.
  return fields[`${name}_encoding`] === 'base64' ? content : Buffer.from(content).toString('base64');
}
