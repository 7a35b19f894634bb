import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { arch, env, execPath, exit, platform, stdout } from 'node:process';
import { parseArgs } from 'node:util';
import { archiveChecks } from './release/checks/archives.ts';
import type { Check } from './release/checks/checking.ts';
import { withBroker } from './release/checks/cluster.ts';
import { documentChecks } from './release/checks/documents.ts';
import { linuxPackageChecks } from './release/checks/linux-packages.ts';
import { npmChecks } from './release/checks/npm.ts';
import { readProduct } from './release/make.ts';
import { run } from './release/run.ts';
import { differences } from './release/second-build.ts';
import { filesOf, sumOf } from './release/sums.ts';
import { targets } from './release/targets.ts';
import { requirePrograms } from './release/tools.ts';

const { values, positionals } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    out: { type: 'string', default: 'dist/release' },
    url: { type: 'string', default: 'https://weir.example/releases' },
  },
  allowPositionals: true,
});

const known = ['npm', ...targets.map(({ name }) => name)];

/** Makes all files of a release (or those of the named parts), checks each, and makes them again to compare. */
function release(out: string, url: string, parts: readonly string[]): void {
  const unknown = parts.filter((part) => !known.includes(part));
  if (unknown.length > 0) throw new Error(`no part ${unknown.join(', ')}: there are ${known.join(', ')}`);
  if (`${platform}-${arch}` !== 'linux-x64') throw new Error('a release is made and checked on Linux x64');
  requirePrograms();
  const epoch = env.SOURCE_DATE_EPOCH ?? run('git', ['log', '-1', '--format=%ct']).trim();
  const what = ['--epoch', epoch, '--url', url, ...parts];
  say(`making ${parts.join(', ')} in ${out}`);
  run(execPath, ['.ci/release/make.ts', '--out', out, ...what]);
  check(out, parts);
  say('making all again in a copy of the checkout');
  const differing = differences(out, what);
  if (differing.length > 0) throw new Error(`two builds differ in ${differing.join(', ')}`);
  say('ok  two builds give the same bytes');
  for (const name of [...filesOf(out)]) {
    const path = join(out, name);
    say(`${sumOf(path)}  ${(statSync(path).size / 1e6).toFixed(1).padStart(6)} MB  ${name}`);
  }
}

function check(out: string, parts: readonly string[]): void {
  const wanted = targets.filter(({ name }) => parts.includes(name));
  const checks: readonly Check[] = [
    ...(parts.includes('npm') ? npmChecks : []),
    ...archiveChecks(wanted),
    ...linuxPackageChecks(wanted),
    ...documentChecks(wanted.length === targets.length),
  ];
  const place = mkdtempSync(join(tmpdir(), 'weir-release-checks-'));
  const { version } = readProduct();
  try {
    withBroker(place, (brokers) => {
      for (const one of checks) {
        try {
          say(`ok  ${one.name}: ${one.run({ out, version, brokers, place })}`);
        } catch (error) {
          throw new Error(`${one.name}: ${error instanceof Error ? error.message : error}`);
        }
      }
    });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function say(line: string): void {
  stdout.write(`${line}\n`);
}

if (!values['dry-run']) {
  say('nothing is published from here: add --dry-run, then take the steps of docs/project/releasing.md by hand');
  exit(2);
}
try {
  release(resolve(values.out), values.url, positionals.length === 0 ? known : positionals);
} catch (error) {
  say(`failed: ${error instanceof Error ? error.message : error}`);
  exit(1);
}
