import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { gzipSync } from 'node:zlib';
import { run } from './run.ts';
import type { Target } from './targets.ts';
import { nfpmProgram } from './tools.ts';

/** The kinds of packages for Linux, and where each keeps what has no common place. */
const kinds = {
  deb: { zsh: '/usr/share/zsh/vendor-completions', licences: '/usr/share/doc/weir', needs: 'libc6 (>= 2.17)' },
  rpm: { zsh: '/usr/share/zsh/site-functions', licences: '/usr/share/licenses/weir', needs: 'glibc >= 2.17' },
} as const;

/** A kind of package for Linux. */
export type Kind = keyof typeof kinds;

/** What a package is made of. */
interface Content {
  readonly version: string;
  /** The directory that `layOutArchive` filled. */
  readonly files: string;
  /** The time of the release, in seconds. */
  readonly epoch: number;
}

/** The name of a package, as each system writes it. */
export function linuxPackageName(kind: Kind, target: Target, version: string): string {
  const arch = target.packages?.[kind] ?? '';
  return kind === 'deb' ? `weir_${version}_${arch}.deb` : `weir-${version}-1.${arch}.rpm`;
}

/** Makes a package for Linux in the folder of the release. */
export function makeLinuxPackage(kind: Kind, target: Target, content: Content, out: string): void {
  const stage = `${content.files}.${kind}`;
  mkdirSync(join(stage, 'man'), { recursive: true });
  for (const page of readdirSync(join(content.files, 'man/man1'))) {
    writeFileSync(join(stage, 'man', `${page}.gz`), zipped(join(content.files, 'man/man1', page)));
  }
  writeFileSync(join(stage, 'CHANGELOG.md.gz'), zipped(join(content.files, 'CHANGELOG.md')));
  writeFileSync(join(stage, 'copyright'), copyright);
  const config = join(stage, 'nfpm.json');
  writeFileSync(config, JSON.stringify(describe(kind, target, content, stage)));
  const file = join(out, linuxPackageName(kind, target, content.version));
  run(nfpmProgram(), ['package', '--packager', kind, '--config', config, '--target', file], {
    env: { ...env, SOURCE_DATE_EPOCH: String(content.epoch) },
  });
}

function zipped(path: string): Buffer {
  return gzipSync(readFileSync(path), { level: 9 });
}

const summary = 'fast command-line client for Kafka and Redpanda';

const explanation = [
  'Works with Kafka-compatible brokers, the Admin API and the cloud of Redpanda,',
  'and schema registries. Every option can be set with a flag, an environment',
  'variable, a profile or the configuration file of the brokers, and weir shows',
  'where each value comes from.',
];

const copyright = `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: weir

Files: *
Copyright: 2026 the authors of weir
License: Apache-2.0
 On Debian systems, the text of the license is in /usr/share/common-licenses/Apache-2.0.
Comment: THIRD-PARTY-LICENSES.txt beside this file has the licenses of the parts by others.
`;

/** What nfpm is told; JSON is YAML. */
function describe(kind: Kind, target: Target, { version, files, epoch }: Content, stage: string) {
  const { zsh, licences, needs } = kinds[kind];
  const time = new Date(epoch * 1000).toISOString();
  const paths: readonly (readonly [string, string])[] = [
    [join(files, 'weir'), '/usr/bin/weir'],
    [join(stage, 'man/*.gz'), '/usr/share/man/man1/'],
    [join(files, 'completions/weir.bash'), '/usr/share/bash-completion/completions/weir'],
    [join(files, 'completions/_weir'), `${zsh}/_weir`],
    [join(files, 'completions/weir.fish'), '/usr/share/fish/vendor_completions.d/weir.fish'],
    [join(files, 'THIRD-PARTY-LICENSES.txt'), `${licences}/THIRD-PARTY-LICENSES.txt`],
    kind === 'deb'
      ? [join(stage, 'copyright'), `${licences}/copyright`]
      : [join(files, 'LICENSE'), `${licences}/LICENSE`],
    [join(stage, 'CHANGELOG.md.gz'), '/usr/share/doc/weir/CHANGELOG.md.gz'],
  ];
  return {
    name: 'weir',
    arch: target.packages?.deb,
    platform: 'linux',
    version,
    release: kind === 'rpm' ? '1' : '',
    section: 'net',
    priority: 'optional',
    maintainer: 'The authors of weir <weir@weir.example>',
    description: [summary, ...explanation].join('\n'),
    // Debian's control file has no field for it.
    license: kind === 'rpm' ? 'Apache-2.0' : '',
    depends: [needs],
    mtime: time,
    contents: paths.map(([src, dst]) => ({
      src,
      dst,
      file_info: { mode: dst === '/usr/bin/weir' ? 0o755 : 0o644, mtime: time },
    })),
    rpm: { summary, compression: 'gzip', buildhost: 'weir.example' },
    deb: { compression: 'gzip' },
  };
}
