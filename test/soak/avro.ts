import { parseArgs } from 'node:util';
import { exchange } from '../serde/avro/exchange.ts';
import { openJavaAvro } from '../serde/avro/java-avro.ts';

const usage = 'usage: npm run soak -- avro [--records N] [--from SEED]';
/** The number of records of each random schema. */
const each = 50;
/** The number of schemas between reports. */
const reported = 200;

/**
 * `npm run soak -- avro …`: random records of random schemas, from Apache Avro for Java to weir and back. Returns the
 * exit code.
 */
export async function main(words: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...words],
    options: { records: { type: 'string', default: '100000' }, from: { type: 'string', default: '1' } },
  });
  const [wanted, from] = [Number(values.records), Number(values.from)];
  if (!(wanted > 0) || !Number.isInteger(from)) throw new Error(usage);
  const java = openJavaAvro();
  let [records, bytes, faults, seed] = [0, 0, 0, from];
  try {
    for (; records < wanted; seed += reported) {
      const seeds = Array.from(
        { length: Math.min(reported, Math.ceil((wanted - records) / each)) },
        (_, i) => seed + i,
      );
      const found = await exchange(java, seeds, each);
      records += found.records;
      bytes += found.bytes;
      faults += found.faults.length;
      for (const fault of found.faults) process.stdout.write(`${fault}\n`);
      process.stdout.write(`  ${records} records, ${bytes} bytes, ${faults} faults\n`);
      if (found.records === 0) break;
    }
  } finally {
    java.close();
  }
  return faults === 0 && records >= wanted ? 0 : 1;
}
