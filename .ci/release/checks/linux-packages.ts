import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kind, linuxPackageName } from '../linux-package.ts';
import { run } from '../run.ts';
import type { Target } from '../targets.ts';
import { type Check, type Checking, ensure, tryWeir } from './checking.ts';
import { makeRoot, runInRoot } from './root.ts';

/** How a kind of package is installed in a root of its own, whose C library belongs to no package. */
const installers: Readonly<Record<Kind, (root: string, file: string) => void>> = {
  deb(root, file) {
    const database = join(root, 'var/lib/dpkg');
    for (const name of ['info', 'updates']) mkdirSync(join(database, name), { recursive: true });
    writeFileSync(join(database, 'status'), '');
    run('dpkg', [`--root=${root}`, '--force-depends', '--force-not-root', '--install', file]);
  },
  rpm(root, file) {
    run('rpm', ['--root', root, '--initdb']);
    run('rpm', ['--root', root, '--nodeps', '--install', file]);
  },
};

const zsh: Readonly<Record<Kind, string>> = { deb: 'vendor-completions', rpm: 'site-functions' };

function installed(kind: Kind, target: Target): Check {
  return {
    name: `${target.name}: .${kind} installed in a root of its own`,
    run(checking) {
      const root = mkdtempSync(join(checking.place, 'root-'));
      installers[kind](root, fileOf(kind, target, checking));
      const paths = [
        'usr/share/man/man1/weir.1.gz',
        'usr/share/man/man1/weir-topic-list.1.gz',
        'usr/share/bash-completion/completions/weir',
        `usr/share/zsh/${zsh[kind]}/_weir`,
        'usr/share/fish/vendor_completions.d/weir.fish',
        kind === 'deb' ? 'usr/share/doc/weir/copyright' : 'usr/share/licenses/weir/LICENSE',
      ];
      const missing = paths.filter((path) => !existsSync(join(root, path)));
      ensure(missing.length === 0, `it did not install ${missing.join(', ')}`);
      makeRoot(root, join(root, 'usr/bin/weir'));
      return tryWeir(checking, (args) => runInRoot(root, '/usr/bin/weir', args));
    },
  };
}

function described(kind: Kind, target: Target): Check {
  return {
    name: `${target.name}: .${kind} read by ${kind === 'deb' ? 'dpkg' : 'rpm'}`,
    run(checking) {
      const file = fileOf(kind, target, checking);
      const said =
        kind === 'deb'
          ? run('dpkg-deb', ['--field', file, 'Package', 'Version', 'Architecture']).replaceAll(/^\w+: /gm, '')
          : run('rpm', ['-qp', '--nosignature', '--queryformat', '%{NAME} %{VERSION} %{ARCH}', file]);
      const wanted = `weir ${checking.version} ${target.packages?.[kind]}`;
      ensure(said.trim().replaceAll('\n', ' ').endsWith(wanted), `it says "${said}" instead of "${wanted}"`);
      return wanted;
    },
  };
}

function fileOf(kind: Kind, target: Target, { out, version }: Checking): string {
  return join(out, linuxPackageName(kind, target, version));
}

/** What must hold of the packages for Linux; only this machine's own can be run. */
export function linuxPackageChecks(wanted: readonly Target[]): readonly Check[] {
  const linux = wanted.filter(({ packages }) => packages !== undefined);
  const own = linux.filter(({ name }) => name === 'linux-x64');
  return (['deb', 'rpm'] as const).flatMap((kind) => [
    ...linux.map((target) => described(kind, target)),
    ...own.map((target) => installed(kind, target)),
  ]);
}
