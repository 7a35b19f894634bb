import { inspect } from 'node:util';
import { runSeed } from './run.ts';

/** `node test/kafka/streams/produce/model/soak.ts FROM COUNT`: prints every seed that fails, and a summary. */
const [from = 0, count = 1_000] = process.argv.slice(2).map(Number);
const totals = { seeds: 0, failed: 0, errors: 0, warned: 0, lost: 0, records: 0 };
const print = (...items: unknown[]): boolean =>
  process.stdout.write(`${items.map((item) => inspect(item, { breakLength: 160 })).join('\n')}\n`);
const errors = new Map<string, number>();
for (let seed = from; seed < from + count; seed += 1) {
  const { problems, error, warnings, lost, records, weather } = await runSeed(seed);
  totals.seeds += 1;
  totals.records += records;
  totals.lost += lost;
  if (warnings.length > 0) totals.warned += 1;
  if (error !== undefined) {
    totals.errors += 1;
    const kind = `acks ${weather.acks}: ${error.message.replace(/\d+/g, 'N').slice(0, 120)}`;
    errors.set(kind, (errors.get(kind) ?? 0) + 1);
  }
  if (problems.length === 0) continue;
  totals.failed += 1;
  if (totals.failed <= 20) print(seed, weather, error?.message, warnings, problems);
}
print(totals, errors);
