import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { registry } from '../services/registry.ts';
import { services } from '../services/services.ts';
import { run, temporaryDirectory } from '../world.ts';
import { randomFiles } from './random-files.ts';

const prefix = `converge-${process.pid}`;
const home = temporaryDirectory();

async function weir(line: string, stdin: string) {
  const env = { WEIR_BROKERS: services().plaintext, WEIR_REGISTRY_HOSTS: registry().url, PASSWORD: 'secret' };
  return await run(line, { home, cwd: home, stdin, env });
}

const { files, owns } = randomFiles(prefix);

const changing = /"api":"(?:Create|Delete|Alter|Incremental)|"method":"(?:POST|PUT|DELETE)"/;

test('any file is applied so that nothing differs, a second time changes nothing, and its export is equal', async () => {
  await fc.assert(
    fc.asyncProperty(files, async (sections) => {
      const file = stringify({ weir: 1, owns, ...sections });
      const first = await weir('apply - --yes --prune --max-deletes 100', file);
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
    }),
    { numRuns: 12, endOnFailure: true },
  );
}, 120_000);

afterAll(async () => {
  await weir('apply - --yes --prune --max-deletes 100', stringify({ weir: 1, owns }));
});
