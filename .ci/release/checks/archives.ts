import { closeSync, mkdtempSync, openSync, readdirSync, readSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { signatureOf } from '../../mach-o.ts';
import { run } from '../run.ts';
import { archiveName, isWindows, programName, type Target, targets } from '../targets.ts';
import { type Check, type Checking, ensure, tryWeir } from './checking.ts';
import { makeRoot, runInRoot } from './root.ts';

/** Unpacks the archive of a target and returns its only folder. */
function unpack(target: Target, { out, version, place }: Checking): string {
  const directory = mkdtempSync(join(place, 'archive-'));
  const file = join(out, archiveName(target, version));
  if (isWindows(target)) run('unzip', ['-q', file, '-d', directory]);
  else run('tar', ['-xzf', file, '-C', directory]);
  const names = readdirSync(directory);
  const folder = archiveName(target, version).replace(/\.(tar\.gz|zip)$/, '');
  ensure(names.join() === folder, `${file} has ${names.join(', ')} instead of one folder`);
  return join(directory, folder);
}

function contentsOf(target: Target): Check {
  return {
    name: `${target.name}: archive`,
    run(checking) {
      const folder = unpack(target, checking);
      const needed = ['LICENSE', 'README.md', 'THIRD-PARTY-LICENSES.txt', 'completions', 'man', programName(target)];
      const missing = needed.filter((name) => !readdirSync(folder).includes(name));
      ensure(missing.length === 0, `it lacks ${missing.join(', ')}`);
      const magic = startOf(join(folder, programName(target)), target.magic.length / 2);
      ensure(magic === target.magic, `its program begins with ${magic}, not ${target.magic}`);
      const signature = target.name.startsWith('darwin') ? signatureOf(join(folder, programName(target))) : 'none';
      ensure(signature === (target.name === 'darwin-arm64' ? 'valid' : 'none'), `its signature is ${signature}`);
      const pages = readdirSync(join(folder, 'man/man1')).length;
      ensure(pages > 100, `it has ${pages} manual pages`);
      return `program, ${pages} manual pages, ${readdirSync(join(folder, 'completions')).join(', ')}`;
    },
  };
}

/** The first bytes of a file, in hexadecimal. */
function startOf(path: string, length: number): string {
  const file = openSync(path, 'r');
  const bytes = Buffer.alloc(length);
  readSync(file, bytes, 0, length, 0);
  closeSync(file);
  return bytes.toString('hex');
}

const inEmptyRoot: Check = {
  name: 'linux-x64: in an empty root without Node.js',
  run(checking) {
    const [target] = targets.filter(({ name }) => name === 'linux-x64');
    ensure(target !== undefined, 'there is no such target');
    const root = mkdtempSync(join(checking.place, 'root-'));
    const folder = unpack(target, checking);
    makeRoot(root, join(folder, 'weir'));
    renameSync(join(folder, 'weir'), join(root, 'weir'));
    return tryWeir(checking, (args) => runInRoot(root, '/weir', args));
  },
};

/** What a person runs on other systems works here, and finds nothing. */
const script: Check = {
  name: 'linux-x64: try-archive.sh',
  run({ out }) {
    const report = run('sh', ['.ci/release/try/try-archive.sh', '-y', out]);
    return `${new Set(report.match(/^ok .*/gm)).size} checks`;
  },
};

/** What must hold of the archives of these targets. */
export function archiveChecks(wanted: readonly Target[]): readonly Check[] {
  const here = wanted.some(({ name }) => name === 'linux-x64') ? [inEmptyRoot, script] : [];
  return [...wanted.map(contentsOf), ...here];
}
