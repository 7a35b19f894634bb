import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { registry } from '../services/registry.ts';
import { alone, services } from '../services/services.ts';
import { run, temporaryDirectory } from '../world.ts';
import { randomFiles } from './random-files.ts';
import { withRegistry } from './simulated-redpanda.ts';

const prefix = `converge-${process.pid}`;
const home = temporaryDirectory();
const place = { home, cwd: home };

async function onKafka(line: string, stdin: string) {
  const env = { WEIR_BROKERS: services().plaintext, WEIR_REGISTRY_HOSTS: registry().url, PASSWORD: 'secret' };
  return await run(line, { ...place, stdin, env });
}

const { files, redpandaFiles, owns } = randomFiles(prefix);

const changing = /"api":"(?:Create|Delete|Alter|Incremental)|"method":"(?:POST|PUT|DELETE)"/;

test.each([
  { cluster: 'Apache Kafka', drawn: files, open: async () => onKafka },
  {
    cluster: 'Redpanda',
    drawn: redpandaFiles,
    async open() {
      const { weir } = await withRegistry();
      return (line: string, stdin: string) => weir(line, stdin, {}, place);
    },
  },
])(
  'on $cluster, any file is applied so that nothing differs, a second time changes nothing, and its export is equal',
  async ({ drawn, open }) => {
    const weir = await open();
    const property = fc.asyncProperty(drawn as fc.Arbitrary<object>, async (sections) => {
      const file = stringify({ weir: 1, owns, ...sections });
      const first = await weir('apply - --yes --prune --max-deletes 100 --allow cluster', file);
      expect(first, file).toMatchObject({ exitCode: 0 });
      expect(await weir('diff - --prune', file), file).toMatchObject({ stdout: '', exitCode: 0 });
      const trace = `${Math.random()}.log`;
      expect(await weir(`apply - --yes --prune --trace ${trace}`, file)).toMatchObject({ stdout: '', exitCode: 0 });
      expect(readFileSync(join(home, trace), 'utf8')).not.toMatch(changing);
      const exported = await weir(`export --owns ${prefix}-*`, '');
      expect(await weir('diff - --strict --prune', exported.stdout), exported.stdout).toMatchObject({
        stdout: '',
        exitCode: 0,
      });
    });
    await fc.assert(property, { numRuns: 12, endOnFailure: true });
  },
  120_000,
);

let lock: AsyncDisposable;
beforeAll(async () => {
  lock = await alone('quotas');
}, 200_000);

afterAll(async () => {
  const quotas = ['a', 'b', 'c'].map((letter) => ({
    client_id: `${prefix}-${letter}`,
    absent: true,
    because: 'the test ends',
  }));
  await onKafka('apply - --yes --prune --max-deletes 100', stringify({ weir: 1, owns, quotas }));
  await lock[Symbol.asyncDispose]();
});
