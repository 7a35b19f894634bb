import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

/** One import of a source file. */
interface Import {
  readonly from: string;
  /** A path below `src/`, or the name of a package. */
  readonly to: string;
  readonly isType: boolean;
  readonly isDynamic: boolean;
}

/** The imports that each part may make from other parts; `:type` allows types only, `:data` also files of rows and words. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'errors.ts': [],
  'version.ts': ['../package.json'],
  'format/': ['errors.ts'],
  'files/': ['errors.ts', 'format/'],
  'clock.ts': ['format/'],
  'deadline.ts': ['clock.ts', 'errors.ts', 'files/read.ts', 'format/'],
  'kinds.ts': ['errors.ts', 'format/', 'net/address.ts', 'net/proxy-url.ts'],
  'net/': ['clock.ts', 'errors.ts', 'format/', 'deadline.ts', 'files/read.ts', 'once.ts', 'shape/'],
  'host/': ['errors.ts'],
  'config/': ['shape/', 'kinds.ts', 'net/address.ts', 'errors.ts', 'format/', 'files/', 'host/:type'],
  'bytes/': [],
  'kafka/': [
    'clock.ts',
    'once.ts',
    'net/',
    'format/',
    'deadline.ts',
    'errors.ts',
    'bytes/',
    'serde/',
    'shape/',
    'host/program-file.ts',
  ],
  'kafka/protocol/': [],
  'kafka/records/': [],
  'kafka/streams/': ['kafka/protocol/', 'kafka/records/'],
  'kafka/cluster/': ['kafka/protocol/', 'kafka/records/', 'kafka/streams/'],
  'kafka/carry/': ['kafka/protocol/', 'kafka/records/', 'kafka/streams/', 'kafka/cluster/'],
  'admin/': ['net/', 'format/', 'deadline.ts', 'errors.ts', 'shape/'],
  'registry/': ['clock.ts', 'net/', 'format/', 'files/', 'deadline.ts', 'errors.ts', 'shape/'],
  'sign-in/': ['net/', 'format/', 'files/', 'deadline.ts', 'errors.ts', 'shape/'],
  'sign-in/tokens/': [],
  'sign-in/cluster/': ['clock.ts', 'sign-in/tokens/'],
  'sign-in/control-plane/': ['sign-in/tokens/'],
  'sign-in/identity/': ['once.ts', 'sign-in/tokens/'],
  'sign-in/secrets/': ['config/', 'host/:type'],
  'byoc/': ['cloud/', 'net/', 'format/', 'files/', 'errors.ts', 'shape/'],
  'cloud/': ['sign-in/control-plane/', 'net/', 'format/', 'files/', 'deadline.ts', 'errors.ts', 'shape/'],
  'serde/': ['bytes/', 'errors.ts', 'format/nearest.ts', 'shape/object.ts'],
  'doctor/': ['clock.ts', 'net/', 'format/', 'shape/', 'deadline.ts', 'errors.ts', 'kafka/', 'cloud/:type'],
  // The simulated Admin API shows the Kafka that runs beside it.
  'sandbox/admin/kafka-view.ts': ['kafka/', 'deadline.ts'],
  // The simulated brokers speak the language of the client.
  'sandbox/broker/': ['kafka/protocol/wire/'],
  'sandbox/': [
    'host/program-file.ts',
    'clock.ts',
    'host/:type',
    'net/',
    'errors.ts',
    'format/',
    'files/',
    'shape/object.ts',
  ],
  'clients/': [
    'version.ts',
    'config/',
    'once.ts',
    'sign-in/secrets/',
    'files/locations.ts',
    'net/proxy-url.ts',
    'errors.ts',
    'deadline.ts',
    'host/:type',
    'net/:type',
    'kafka/:client',
    'admin/:client',
    'registry/:client',
    'sign-in/:client',
    'cloud/:client',
    'doctor/:client',
    'sandbox/:client',
  ],
  'once.ts': [],
  'shape/': ['errors.ts:type'],
  'context.ts': [
    'errors.ts:type',
    'clients/',
    'clock.ts',
    'once.ts',
    'config/',
    'host/:type',
    'deadline.ts',
    'files/:type',
  ],
  'cli/': [
    'version.ts',
    'kinds.ts',
    'shape/',
    'format/',
    'errors.ts',
    'files/fault.ts',
    'files/locations.ts',
    'files/read.ts',
    'deadline.ts:type',
    'host/:type',
    'context.ts:type',
    'clients/parts.ts:type',
    'config/',
  ],
  'command-end.ts': ['context.ts:type', 'errors.ts'],
  'cluster-file/': [
    'command-end.ts',
    'config/',
    'errors.ts',
    'format/',
    'serde/',
    'shape/',
    'context.ts:type',
    'kafka/records/',
    'kafka/:data',
    'admin/:data',
    'registry/:data',
  ],
  // What asks a service is behind the Context. The rest is what a line of words needs before anything is asked, and what
  // commands run: flows of BYOC and sandboxes.
  'commands/': [
    'cli/',
    'clock.ts',
    'cluster-file/',
    'command-end.ts',
    'config/',
    'errors.ts',
    'files/',
    'format/',
    'kinds.ts',
    'net/address.ts',
    'net/tls.ts',
    'once.ts',
    'serde/',
    'shape/',
    'version.ts',
    'kafka/records/',
    'sign-in/secrets/',
    'byoc/',
    'sandbox/',
    'context.ts:type',
    'host/:type',
    'net/:type',
    'bytes/:type',
    'kafka/:data',
    'admin/:data',
    'registry/:data',
    'sign-in/:data',
    'cloud/:data',
    'doctor/:data',
  ],
  'main.ts': ['commands/', 'cli/', 'context.ts', 'host/', 'errors.ts', 'version.ts'],
  'executable.ts': ['main.ts', 'host/program-file.ts', 'sandbox/'],
};

/** The owners of each package. */
const owners: Readonly<Record<string, readonly string[]>> = {
  commander: ['cli/'],
  kafkajs: ['kafka/protocol/transport/'],
  undici: ['net/http.ts'],
  oauth4webapi: ['sign-in/cluster/'],
  yaml: ['config/', 'cli/output/render.ts'],
  execa: ['host/', 'sandbox/'],
  'string-width': ['format/width.ts'],
  ms: ['format/rough-time.ts'],
  'fastest-levenshtein': ['config/', 'serde/json/nearest-name.ts'],
  'node-forge': ['sandbox/certificates.ts'],
  '@bufbuild/protobuf': ['serde/protobuf/'],
  re2js: ['serde/json-schema/', 'kafka/records/filter/patterns.ts'],
};

const files = globSync('src/**/*.ts').map((path) => relative('src', path));
const imports = files.flatMap(importsOf);

function importsOf(from: string): readonly Import[] {
  const text = readFileSync(join('src', from), 'utf8');
  const found: Import[] = [];
  for (const [, keyword = '', what = '', specifier = ''] of text.matchAll(
    /^(import|export)\b([^;'"]*?)(?:from\s*)?'([^']+)'(?:\s+with[^;]*)?;/gms,
  )) {
    const names = what
      .replace(/^\s*\{/, '')
      .replace(/\}\s*$/, '')
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean);
    const isType = /^\s*type\b/.test(what) || (what.includes('{') && names.every((name) => name.startsWith('type ')));
    found.push({ from, to: targetOf(from, specifier), isType: isType && keyword !== '', isDynamic: false });
  }
  for (const [, type, specifier = ''] of text.matchAll(/(typeof )?\bimport\('([^']+)'\)/g)) {
    found.push({ from, to: targetOf(from, specifier), isType: type !== undefined, isDynamic: true });
  }
  return found;
}

function targetOf(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return join(dirname(from), specifier);
  return specifier.startsWith('@') ? specifier.split('/').slice(0, 2).join('/') : (specifier.split('/')[0] ?? '');
}

const isOurs = (target: string) => target.endsWith('.ts') || target.endsWith('.json');

/** What a file may import by the rules of its part and of the parts around it; undefined for a file of no part. */
function rulesOf(from: string): readonly string[] | undefined {
  const parts = Object.keys(mayImport).filter((part) => from.startsWith(part));
  return parts.length === 0 ? undefined : parts.flatMap((part) => mayImport[part] ?? []);
}

/** A part that the docs describe: a file or folder of the top, or a wing of a large part. */
const isWhole = (part: string) => !part.slice(0, -1).includes('/') || /^(?:kafka|sign-in)\/[\w-]+\/$/.test(part);

/** Shapes of rows, and words (vocabularies and their parsers). */
const isData = (path: string) => /(?:rows|words)\.ts$/.test(path);

function isAllowed({ from, to, isType }: Import): boolean | undefined {
  const own = Object.keys(mayImport).findLast((part) => isWhole(part) && part.endsWith('/') && from.startsWith(part));
  if (own !== undefined && to.startsWith(own)) return true;
  const rules = rulesOf(from);
  expect(rules, `${from} belongs to no known part`).toBeDefined();
  return rules?.some((rule) => {
    const [path = '', limit] = rule.split(':');
    if (!to.startsWith(path)) return false;
    // A client is loaded by a dynamic import and only known by its types until then; its rows and words load nothing else.
    return (
      limit === undefined ||
      isType ||
      (limit === 'data' && isData(to)) ||
      (limit === 'client' && imports.some((one) => one.to === to && one.isDynamic))
    );
  });
}

test('imports point down only', () => {
  const wrong = imports.filter(({ to }) => isOurs(to)).filter((one) => !isAllowed(one));
  expect(wrong.map(({ from, to }) => `${from} -> ${to}; it may import ${rulesOf(from)?.join(', ')}`)).toEqual([]);
});

test('the description of the architecture names the same imports', () => {
  const limits = { '': '', type: 'types of ', data: 'rows and words of ', client: 'on first use ' };
  const inWords = (rules: readonly string[]) =>
    Object.entries(limits)
      .map(([limit, words]) => {
        const paths = rules.map((rule) => rule.split(':')).filter(([, own = '']) => own === limit);
        return words + paths.map(([path = '']) => path.replace(/^\.\.\/|\.ts$|\/$/g, '')).join(', ');
      })
      .filter((words) => !Object.values(limits).includes(words))
      .join('; ') || 'nothing';
  const described = readFileSync('docs/project/architecture.md', 'utf8').matchAll(
    /^\| `([\w.-]+\/?(?:[\w-]+\/)?)` \| .* \| (.*) \|$/gm,
  );
  // What single folders of a part may import besides is in the table of this test only.
  expect(Object.fromEntries([...described].map(([, part, cell = '']) => [part, cell.replace(/; in .*/, '')]))).toEqual(
    Object.fromEntries(
      Object.entries(mayImport)
        .filter(([part]) => isWhole(part))
        .map(([part, rules]) => [part, inWords(rules)]),
    ),
  );
});

test('every package is only imported by its owner', () => {
  const wrong = imports.filter(({ from, to }) => {
    const allowed = owners[to];
    return allowed !== undefined && !allowed.some((owner) => from.startsWith(owner));
  });
  expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
});

test('every shipped package is used, has an owner and is explained in the docs', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const names = Object.keys(dependencies).sort();
  expect(names).toEqual(Object.keys(owners).sort());
  const explained = readFileSync('docs/project/dependencies.md', 'utf8');
  expect(names.filter((name) => !explained.includes(`\n| ${name} `))).toEqual([]);
});

test('the files that the docs name exist', () => {
  const paths = globSync(['{src,test,bin,.ci}/**/*.{ts,js}']).map((path) => `/${path}`);
  const named = ['README.md', ...globSync('docs/{*,project/*}.md')].flatMap((doc) =>
    [...readFileSync(doc, 'utf8').matchAll(/`([\w./-]+\.ts)`/g)].map(([, name]) => ({ doc, name })),
  );
  expect(named.filter(({ name }) => !paths.some((path) => path.endsWith(`/${name}`)))).toEqual([]);
});

test('the folders that the description of the architecture names exist', () => {
  const paths = globSync('{src,test,bin,.ci,docs,completions}/**/*').map((path) => `/${path}`);
  const named = globSync('docs/project/*.md').flatMap((doc) =>
    [...readFileSync(doc, 'utf8').matchAll(/`([\w./-]+\/)`/g)].map(([, name]) => ({ doc, name })),
  );
  expect(named.filter(({ name }) => !paths.some((path) => path.includes(`/${name}`)))).toEqual([]);
});

test('nothing imports itself in a circle, through values, types and what is loaded later together', () => {
  const graph = new Map(files.map((file) => [file, [] as string[]]));
  for (const { from, to } of imports) if (isOurs(to)) graph.get(from)?.push(to);
  const done = new Set<string>();
  const loops: string[] = [];
  const visit = (file: string, trail: readonly string[]) => {
    if (trail.includes(file)) return void loops.push([...trail.slice(trail.indexOf(file)), file].join(' -> '));
    if (done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...trail, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  expect(loops).toEqual([]);
});

test('only the host and the bin use process and console', () => {
  const wrong = files.filter((file) => {
    const code = readFileSync(join('src', file), 'utf8').replace(/\/\*.*?\*\/|\/\/[^\n]*|'[^'\n]*'|`[^`]*`/gs, '');
    return file !== 'host/host.ts' && /\b(process|console)\./.test(code);
  });
  expect(wrong).toEqual([]);
});

test('what must be closed is opened, not created', () => {
  const texts = files.map((file) => ({ file, text: readFileSync(join('src', file), 'utf8') }));
  const closed = texts.flatMap(({ text }) =>
    [...text.matchAll(/^(?:export )?interface (\w+)[^{\n]*\{\n(.*?)^\}/gms)]
      .filter(([, , members = '']) => /^ {2}(?:close|destroy)\(/m.test(members))
      .map(([, name]) => name),
  );
  expect(closed).toEqual(expect.arrayContaining(['Pool', 'Fetcher', 'OpenContext']));
  const created = texts.flatMap(({ file, text }) =>
    [
      ...text.matchAll(/^(?:export )?(?:async )?function (create\w+)(?:(?!\n\}).)*?\): (?:Promise<)?(\w+)\S* \{$/gms),
    ].map(([, name, type]) => ({ file, name, type })),
  );
  expect(created.length).toBeGreaterThan(50);
  expect(created.filter(({ type }) => closed.includes(type))).toEqual([]);
});

describe('credentials have one way to each client:', () => {
  test.each([
    ['kafka/open.ts', ['clients/clients.ts']],
    ['admin/open.ts', ['clients/clients.ts']],
    ['registry/open.ts', ['clients/clients.ts']],
    ['cloud/open.ts', ['clients/clients.ts']],
    ['sign-in/cluster/open.ts', ['clients/clients.ts']],
    ['sign-in/identity/open.ts', ['clients/clients.ts']],
    ['sign-in/secrets/secrets.ts', ['clients/clients.ts']],
    // Where a secret is looked up; `profile set` stores one in the keychain.
    ['sign-in/secrets/command.ts', ['sign-in/secrets/secrets.ts']],
    ['sign-in/secrets/secret-file.ts', ['sign-in/secrets/secrets.ts']],
    ['sign-in/secrets/keychain.ts', ['commands/profile/keychain.ts', 'sign-in/secrets/secrets.ts']],
    // What is kept from before: tokens of the cluster, and logins to the control plane.
    [
      'sign-in/cluster/token-files.ts',
      ['sign-in/cluster/logins.ts', 'sign-in/cluster/open.ts', 'sign-in/cluster/token-source.ts'],
    ],
    [
      'sign-in/control-plane/login-files.ts',
      ['cloud/open.ts', 'sign-in/control-plane/logins.ts', 'sign-in/control-plane/token-source.ts'],
    ],
    // Who starts a program that an option names.
    [
      'config/programs.ts',
      [
        'commands/cloud/byoc/run-plugin.ts',
        'commands/profile/creation-plan.ts',
        'config/sources/broker-file.ts',
        'sign-in/secrets/command.ts',
      ],
    ],
  ])('%s is used by %j', (to, users) => {
    const found = imports.filter((one) => one.to === to && !one.isType).map(({ from }) => from);
    expect([...new Set(found)].toSorted()).toEqual(users);
  });
});

test('no file has a meaningless name', () => {
  const empty = /(^|\/)(utils?|helpers?|common|shared|lib|core|types|constants)(\.ts|\/|$)/;
  expect(files.filter((file) => empty.test(file))).toEqual([]);
});

test('no folder has only one or two files', () => {
  const folders = Map.groupBy(files, dirname);
  const hasFolders = (folder: string) => [...folders.keys()].some((other) => other.startsWith(`${folder}/`));
  const small = [...folders].filter(([folder, { length }]) => length <= 2 && !hasFolders(folder));
  // AssemblyScript has another compiler, which wants a folder with its options.
  expect(small.map(([folder]) => folder).filter((folder) => !folder.endsWith('/assembly'))).toEqual([]);
});

/** What is loaded with a file. */
function loadedWith(file: string, reached = new Set<string>()): readonly string[] {
  if (reached.has(file)) return [];
  reached.add(file);
  for (const one of imports) if (one.from === file && !one.isType && !one.isDynamic) loadedWith(one.to, reached);
  return [...reached];
}

test('rows and words of a client load nothing that asks a service or touches a file', () => {
  const data = files.filter((file) => /^(?:kafka|admin|registry|sign-in|cloud|doctor)\//.test(file) && isData(file));
  expect(data.length).toBeGreaterThan(30);
  const loaded = data.flatMap((file) => loadedWith(file).map((to) => ({ file, to })));
  expect(
    loaded.filter(({ to }) => to.startsWith('node:') || to in owners || /\/open\.ts$|^net\/http\.ts$/.test(to)),
  ).toEqual([]);
});

describe('startup', () => {
  // Builtin modules that take a millisecond or more to load.
  const slow = ['node:util', 'node:crypto', 'node:readline', 'node:zlib', 'node:child_process', 'node:net', 'node:tty'];

  test('main.ts loads no client, command or slow module before it is needed', () => {
    const modules = loadedWith('main.ts');
    expect(modules.length).toBeGreaterThan(30);
    expect(modules.filter((name) => /^(kafka|admin|registry|cloud|sandbox)\//.test(name))).toEqual([]);
    expect(modules.filter((name) => name.startsWith('commands/') && name !== 'commands/index.ts')).toEqual([]);
    expect(modules.filter((name) => name in owners || slow.includes(name))).toEqual([]);
  });

  test('a Tab loads what reads names, and neither what asks for them nor what writes them', () => {
    const modules = loadedWith('commands/complete/complete.ts');
    expect(modules).toContain('commands/complete/name-cache.ts');
    const needless = /^(?:kafka|admin|registry|cloud|sandbox|node:.*)\/|^files\/(?:lock|replace)\.ts$|\/by-api\.ts$/;
    expect(modules.filter((name) => needless.test(name) || name in owners || slow.includes(name))).toEqual([]);
  });
});

test('every export is used in another file', () => {
  const files = globSync('{src,test,.ci,bin}/**/*.{ts,js}').filter((file) => !file.includes('/assembly/'));
  const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  const namedIn = new Map<string, number>();
  for (const text of texts.values()) {
    for (const word of new Set(text.match(/\w+/g))) namedIn.set(word, (namedIn.get(word) ?? 0) + 1);
  }
  const unused = [...texts].flatMap(([file, text]) => {
    const names = [...text.matchAll(/^export (?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm)];
    return (
      names
        .map(([, name = '']) => name)
        .filter((name) => file.startsWith('src/') && namedIn.get(name) === 1)
        // A name that another export of the file refers to counts as part of that export.
        .filter((name) => text.split(new RegExp(`\\b${name}\\b`)).length <= 2)
        .map((name) => `${file}: ${name}`)
    );
  });
  expect(unused).toEqual([]);
});

test('every member of an interface is used', () => {
  const wordsOf = (text: string) => text.replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, '').match(/\w+/g) ?? [];
  const sources = files.map((file) => ({ file, text: readFileSync(join('src', file), 'utf8') }));
  const uses = new Map<string, number>();
  for (const word of sources.flatMap(({ text }) => wordsOf(text))) uses.set(word, (uses.get(word) ?? 0) + 1);
  const tests = globSync('test/**/*.ts').filter((file) => file !== 'test/architecture.test.ts');
  const inTests = new Set(tests.flatMap((file) => wordsOf(readFileSync(file, 'utf8'))));
  const members = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/^(?:export )?interface \w+[^{\n]*\{\n(.*?)^\}/gms)].flatMap(([, body = '']) =>
      [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[(:<]/gm)].map(([, name = '']) => ({ file, name })),
    ),
  );
  // What is only declared and made, by a name of its own.
  const unused = members.filter(({ name }) => (uses.get(name) ?? 0) <= 2 && !inTests.has(name));
  // Node.js calls it.
  expect(unused.map(({ file, name }) => `${file}: ${name}`)).toEqual([
    'kafka/records/batches/compression/zstd-engine.ts: onerror',
  ]);
});
