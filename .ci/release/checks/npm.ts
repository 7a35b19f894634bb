import { existsSync, mkdtempSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { env } from 'node:process';
import { run } from '../run.ts';
import { checkingPackages } from '../tools.ts';
import { type Check, type Checking, ensure, tryWeir } from './checking.ts';

const packageOf = ({ out, version }: Checking) => join(out, `weir-${version}.tgz`);

const contents: Check = {
  name: 'npm package: what is in it',
  run(checking) {
    const names = run('tar', ['-tzf', packageOf(checking)])
      .trim()
      .split('\n');
    const known = /^package\/(bin|dist|completions)\/|^package\/(package\.json|README\.md|[A-Z-]*LICENSES?(\.txt)?)$/;
    const others = names.filter((name) => !known.test(name));
    ensure(others.length === 0, `it contains ${others.join(', ')}`);
    const manifest = run('tar', ['-xzOf', packageOf(checking), 'package/package.json']);
    const keys = Object.keys(JSON.parse(manifest)).filter((key) => /dependencies|scripts/i.test(key));
    ensure(keys.length === 0, `its package.json has ${keys.join(', ')}`);
    return `${names.length} files`;
  },
};

/** Installs the package with a version of Node.js, an empty home and prefix and no registry, and runs it. */
function onNode(major: string): Check {
  return {
    name: `npm package: on Node.js ${major}`,
    run(checking) {
      const home = mkdtempSync(join(checking.place, 'home-'));
      const bin = join(checkingPackages(), `node-${major}`, 'bin');
      const clean = { HOME: home, PATH: `${bin}${delimiter}/usr/bin${delimiter}/bin`, npm_config_prefix: home };
      const npm = env.npm_execpath;
      ensure(npm !== undefined, 'start the release with npm run');
      const said = run(join(bin, 'node'), [npm, 'install', '--global', '--offline', packageOf(checking)], {
        env: clean,
      });
      ensure(/^added 1 package in/m.test(said) && !/warn/i.test(said), `npm says: ${said}`);
      ensure(existsSync(join(home, 'share/man/man1/weir-topic-list.1')), 'npm did not link the manual pages');
      const weir = (args: readonly string[]) => run(join(home, 'bin/weir'), args, { env: clean });
      return `Node.js ${run(join(bin, 'node'), ['--version']).trim()}: ${tryWeir(checking, weir)}`;
    },
  };
}

/** What must hold of the npm package. */
export const npmChecks: readonly Check[] = [contents, ...['22', '24', '26'].map(onNode)];
