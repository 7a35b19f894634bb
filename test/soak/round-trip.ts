import type { Readable } from 'node:stream';
import { canonical, type RandomEnvelope, randomRecords } from './random-records.ts';
import type { Soak } from './run.ts';
import { feed, finish, linesOf, startWeir } from './weir-process.ts';

const seed = 20_261_121;
/** The timestamps are old: without `retention.ms` the broker would delete what was just written. */
const configs = ['-p', '1', '-c', 'max.message.bytes=4194304', '-c', 'retention.ms=-1'];
const produceFlags = ['--format', 'json', '-o', '', '--max-message-bytes', '2097152'];

/** Produces random records, consumes them as JSON, produces that, consumes it, and compares with the original. */
export async function soak({ brokers, records, say }: Soak): Promise<void> {
  const [first, second] = ['soak-first', 'soak-second'];
  for (const topic of [first, second]) {
    await finish('topic create', startWeir(brokers, ['topic', 'create', topic, ...configs]));
  }
  const writing = startWeir(brokers, ['topic', 'produce', first, ...produceFlags], { stdin: 'pipe' });
  await feed(writing, lines(records));
  say(await finish(`produce ${records} records`, writing));

  const reading = startWeir(brokers, ['topic', 'consume', first, '-o', ':end', '--format', 'json'], { stdout: 'pipe' });
  const words = ['topic', 'produce', second, ...produceFlags];
  const copying = startWeir(brokers, words, { stdin: reading.child.stdout as Readable });
  say(await finish('consume as JSON', reading));
  say(await finish('produce that JSON', copying));

  const last = startWeir(brokers, ['topic', 'consume', second, '-o', ':end', '--format', 'json'], { stdout: 'pipe' });
  const { compared, bytes } = await compare(last.child.stdout as Readable, records);
  say(await finish('consume again', last));
  say(`${compared} records, ${Math.round(bytes / 1e6)} MB of JSON, are equal`);
}

function* lines(records: number): Generator<string> {
  for (const record of randomRecords(seed, records)) yield `${JSON.stringify(record)}\n`;
}

/** Reads JSON lines and compares each with the record that was written at its place. */
async function compare(output: Readable, records: number): Promise<{ compared: number; bytes: number }> {
  const expected = randomRecords(seed, records);
  let [compared, bytes] = [0, 0];
  for await (const line of linesOf(output)) {
    const written = expected.next();
    if (written.done === true) throw new Error(`more than ${records} records came back`);
    const read = JSON.parse(line) as RandomEnvelope;
    if (canonical(read) !== canonical(written.value)) {
      throw new Error(
        `record ${compared} differs:\n${line.slice(0, 500)}\n${JSON.stringify(written.value).slice(0, 500)}`,
      );
    }
    compared += 1;
    bytes += line.length + 1;
  }
  if (compared !== records) throw new Error(`${compared} of ${records} records came back`);
  return { compared, bytes };
}
