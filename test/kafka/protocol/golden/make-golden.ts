// Writes the bytes of the golden tests: node test/kafka/protocol/golden/make-golden.ts NAME…, for NAME-messages.json.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kafkaToolsClassPath } from '../../../bench/kafka-tools.ts';

const { HOME = '', XDG_CACHE_HOME = join(HOME, '.cache') } = process.env;
const kafka = kafkaToolsClassPath(XDG_CACHE_HOME);
if (kafka === undefined) throw new Error('Java or the jars of Kafka are missing: run a test that needs the services');
const here = import.meta.dirname;
const classes = mkdtempSync(join(tmpdir(), 'weir-golden-'));
try {
  execFileSync('javac', ['-cp', kafka, '-d', classes, join(here, 'GoldenBytes.java')], { stdio: 'inherit' });
  for (const name of process.argv.slice(2)) {
    const words = ['-cp', `${classes}:${kafka}`, 'GoldenBytes', join(here, `${name}-messages.json`)];
    const bytes: unknown = JSON.parse(execFileSync('java', words, { encoding: 'utf8' }));
    writeFileSync(join(here, `${name}-bytes.json`), `${JSON.stringify(bytes, null, 2)}\n`);
  }
} finally {
  rmSync(classes, { recursive: true });
}
