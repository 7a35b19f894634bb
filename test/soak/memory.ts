import type { Soak } from './run.ts';
import { feed, finish, startWeir } from './weir-process.ts';

/** The limit, in MB. */
const limitMb = 200;
const lineBytes = 1000;

/** Two GB of input (at 1,000,000 records) through produce, and the same back through consume: how much memory it takes. */
export async function soak({ brokers, records, say }: Soak): Promise<void> {
  const peaks: number[] = [];
  const measure = async (name: string, process: ReturnType<typeof startWeir>): Promise<void> => {
    say(await finish(name, process));
    peaks.push((await process.done).peakMb);
  };
  for (const codec of ['none', 'snappy', 'zstd']) {
    const topic = `soak-memory-${codec}`;
    await finish('topic create', startWeir(brokers, ['topic', 'create', topic, '-p', '6']));
    const words = ['topic', 'produce', topic, '-o', '', '-z', codec];
    const writing = startWeir(brokers, words, { stdin: 'pipe' });
    await feed(writing, blocks(records * 2));
    await measure(`produce, ${codec}`, writing);
    for (const format of ['%v\\n', 'json']) {
      const reading = startWeir(brokers, ['topic', 'consume', topic, '-o', ':end', '-f', format]);
      await measure(`consume, ${codec}, ${format}`, reading);
    }
    await finish('topic delete', startWeir(brokers, ['topic', 'delete', topic, '--yes']));
  }
  const most = Math.max(...peaks);
  if (most > limitMb) throw new Error(`weir held up to ${most} MB, the limit is ${limitMb}`);
  say(`at most ${most} MB of ${limitMb}`);
}

/** Lines of a kilobyte, half of it noise, a thousand in a piece. */
function* blocks(records: number): Generator<string> {
  let state = 1;
  for (let written = 0; written < records; written += 1000) {
    const lines = Array.from({ length: 1000 }, (_, index) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const noise = (state * 1e6).toString(36).repeat(4).slice(0, 40);
      return `${written + index} ${noise} `.padEnd(lineBytes - 1, `${noise} and always the same words, `);
    });
    yield `${lines.join('\n')}\n`;
  }
}
