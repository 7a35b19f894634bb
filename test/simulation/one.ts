import { runSeed } from './run-seed.ts';
import type { Scenario } from './scenario.ts';

const [from = '1', count = '1', kind] = process.argv.slice(2);
const started = performance.now();
let bad = 0;
let records = 0;
for (let seed = Number(from); seed < Number(from) + Number(count); seed += 1) {
  const report = await runSeed(seed, kind as Scenario['kind'] | undefined);
  records += report.records;
  if (report.failures.length > 0) {
    bad += 1;
    console.log(
      `seed ${seed} (${report.scenario.kind}, ${report.scenario.faults.length} faults): ${report.failures.slice(0, 3).join('\n   ')}`,
    );
    if (count === '1') console.log(JSON.stringify(report.scenario, null, 1), report.story.join('\n'));
  }
}
console.log(`${count} seeds, ${bad} bad, ${records} records, ${Math.round(performance.now() - started)} ms`);
