import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Machine, remedyFor } from './tools.ts';

/** Creates a machine with these files; `sudo` tells whether sudo works without a password. */
function machineWith(files: readonly string[], sudo = false): Machine {
  return {
    env: { PATH: '/bin:/usr/bin' },
    exists: (path) => files.includes(path),
    succeeds: (file) => file === 'sudo' && sudo,
  };
}

const packages =
  'default-jre-headless maven zsh fish expect kcat curl mandoc zip unzip libsecret-tools gnome-keyring dbus-daemon python3-confluent-kafka microsocks tinyproxy-bin libnss-wrapper protobuf-compiler libprotobuf-dev python3-protobuf python3-jsonschema golang-go';
const install = `apt-get install --yes --no-install-recommends ${packages}`;

test('as root, everything is installed with apt', () => {
  expect(remedyFor(machineWith(['/usr/bin/apt-get']), true)).toMatchObject({
    missing: [
      'java',
      'mvn',
      'zsh',
      'fish',
      'expect',
      'kcat',
      'curl',
      'mandoc',
      'zip',
      'unzip',
      'secret-tool',
      'gnome-keyring-daemon',
      'dbus-run-session',
      'confluent-kafka for Python',
      'microsocks',
      'tinyproxy',
      'nss_wrapper',
      'protoc',
      'the files of google/protobuf',
      'google.protobuf for Python',
      'jsonschema for Python',
      'go',
    ],
    commands: [['apt-get', 'update'], install.split(' ')],
  });
});

test('sudo is used if it needs no password', () => {
  const remedy = remedyFor(machineWith(['/usr/bin/apt-get'], true), false);
  expect(remedy?.commands).toEqual([
    ['sudo', '-n', 'apt-get', 'update'],
    ['sudo', '-n', ...install.split(' ')],
  ]);
});

test.each([
  ['without sudo', ['/usr/bin/apt-get'], false],
  ['without apt', [], true],
])('%s, the command to run is reported', (_, files, isRoot) => {
  const remedy = remedyFor(machineWith(files), isRoot);
  expect(remedy).toMatchObject({ commands: [], line: `${isRoot ? '' : 'sudo '}${install}` });
});

test('only missing tools are installed, and no process is started to find them', () => {
  const found = ['java', 'mvn', 'zsh', 'fish', 'kcat', 'curl', 'mandoc', 'zip', 'unzip', 'protoc', 'go', 'apt-get'];
  const keyring = ['secret-tool', 'gnome-keyring-daemon', 'dbus-run-session'];
  const proxies = ['microsocks', 'tinyproxy'];
  const most = [...found, ...keyring, ...proxies].map((name) => `/usr/bin/${name}`);
  const modules = ['confluent_kafka', 'google/protobuf', 'jsonschema'];
  const others = [
    ...modules.map((name) => `/usr/lib/python3/dist-packages/${name}`),
    '/usr/include/google/protobuf/any.proto',
    '/usr/lib/x86_64-linux-gnu/libnss_wrapper.so',
  ];
  const started: string[] = [];
  const machine: Machine = {
    ...machineWith([...most, ...others]),
    succeeds: (file) => {
      started.push(file);
      return false;
    },
  };
  expect(remedyFor(machine, true)?.missing).toEqual(['expect']);
  expect(
    remedyFor({ ...machine, exists: (path) => [...most, ...others, '/bin/expect'].includes(path) }, true),
  ).toBeUndefined();
  expect(started).toEqual([]);
});

test('npm test installs the tools, and .ci/run has no list of its own', () => {
  expect(JSON.parse(readFileSync('package.json', 'utf8')).scripts.pretest).toContain('node test/tools.ts');
  expect(readFileSync('.ci/run', 'utf8')).not.toContain('apt-get');
  expect(existsSync('test/tools.ts')).toBe(true);
});
